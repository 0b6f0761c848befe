import Type, { type TSchema } from 'typebox';
import { ERRORS, type ErrorCode } from './errors.ts';
import { choice, shape } from './fields.ts';
import { validationErrorSchema } from './validation.ts';

const rows = Object.entries(ERRORS).map(
  ([code, { status, message }]) => `- \`${code}\` (${status}): ${message}`,
);

/** The closed error table, for the OpenAPI document. */
export const errorCodeEnum = choice('ErrorCode', Object.keys(ERRORS) as ErrorCode[], {
  description: ['Every error code of the service, with its status and its usual message.', '', ...rows].join(
    '\n',
  ),
});

export const errorResponseSchema = shape('ErrorResponse', {
  error: Type.Object(
    {
      message: Type.String({ description: 'Text for people; it may change.' }),
      type: Type.String({ description: 'The kind of error, such as `permission_error`.' }),
      code: errorCodeEnum,
      event_id: Type.Optional(Type.String({ description: 'The decision that this error reports.' })),
      dashboard_url: Type.Optional(Type.String({ description: 'Page where the error can be resolved.' })),
    },
    { additionalProperties: true, description: 'Branch on `code`. Some codes have members of their own.' },
  ),
});

/**
 * The body of a 422: a request body that does not match its schema, or an `Idempotency-Key` that was used for another
 * request.
 */
export const invalidBodySchema: TSchema = Type.Union([validationErrorSchema, errorResponseSchema], {
  $id: 'ValidationErrorOrErrorResponse',
});
