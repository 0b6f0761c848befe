import { CodedError, SCIM, SCIM_TYPE, ValidationError } from '@csg/shared/contract';
import { BodyError } from '@csg/shared/text';
import type { FastifyError, FastifyInstance } from 'fastify';
import { StorageError } from '../../storage/storage-error.ts';

interface ScimErrorBody {
  readonly status: number;
  readonly detail: string;
  readonly scimType?: string;
}

/**
 * Sets SCIM's media type, and formats errors as in RFC 7644, section 3.12. Errors of the service itself keep
 * the service's own format.
 */
export function registerScimReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode !== 204) reply.type(SCIM_TYPE);
    return payload;
  });
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const scimError = scimErrorOf(error);
    if (scimError === null) throw error;
    const { status, ...rest } = scimError;
    const headers = error instanceof CodedError ? (error as CodedError).headers : {};
    return reply
      .code(status)
      .headers(headers)
      .type(SCIM_TYPE)
      .serializer(JSON.stringify)
      .send({ schemas: [SCIM.error], status: String(status), ...rest });
  });
}

function scimErrorOf(error: FastifyError): ScimErrorBody | null {
  if (error instanceof CodedError) {
    const { status, message, fields } = error as CodedError;
    const { scimType } = fields;
    return { status, detail: message, ...(typeof scimType === 'string' ? { scimType } : {}) };
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return { status: 415, detail: `Send the body as ${SCIM_TYPE} in UTF-8.` };
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { status: 413, detail: 'The body is too large.' };
  if (error instanceof BodyError || error.validation !== undefined || error instanceof ValidationError) {
    return { status: 400, detail: error.message, scimType: 'invalidSyntax' };
  }
  if (error instanceof StorageError) {
    const isDouble = ['email_taken', 'already_member', 'conflict'].includes((error as StorageError).code);
    return isDouble
      ? { status: 409, detail: 'A user with this userName already exists.', scimType: 'uniqueness' }
      : null;
  }
  return null;
}
