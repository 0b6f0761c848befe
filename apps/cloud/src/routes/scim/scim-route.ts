import { SCIM_TYPE, scimErrorSchema } from '@csg/shared/contract';
import type { TSchema } from 'typebox';
import { COMMON_ERRORS, type CommonErrors } from '../common-errors.ts';

const ERRORS: Readonly<Record<number, string>> = {
  400: 'The request is invalid.',
  401: 'The directory token is missing or unknown.',
  404: 'No such user or group.',
  409: 'The user or group already exists, or the user is the owner.',
  413: 'The body is too large.',
  415: 'The content type is not supported.',
  429: 'Too many wrong tokens from this address.',
};

/** Returns a SCIM route's schema for validation and for the OpenAPI document. */
export function scimRoute(route: {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** null: no body. */
  readonly response: TSchema | null;
  readonly status?: number;
}): Record<string, unknown> {
  const content = (schema: TSchema) => ({ content: { [SCIM_TYPE]: { schema } } });
  const errors = Object.fromEntries(
    Object.entries(ERRORS).map(([status, description]) => [
      status,
      { description, ...content(scimErrorSchema) },
    ]),
  );
  const common: CommonErrors = { of: 'directory', responses: errors };
  return {
    operationId: route.id,
    tags: ['Directory'],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.params === undefined ? {} : { params: route.params }),
    ...(route.query === undefined ? {} : { querystring: route.query }),
    ...(route.body === undefined ? {} : { consumes: [SCIM_TYPE, 'application/json'], body: route.body }),
    security: [{ directoryToken: [] }],
    [COMMON_ERRORS]: common,
    response: {
      [route.status ?? 200]:
        route.response === null
          ? { type: 'null', description: 'No content.' }
          : { description: 'Success', ...content(route.response) },
      ...errors,
    },
  };
}
