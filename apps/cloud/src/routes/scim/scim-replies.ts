import { type CodedError, SCIM_TYPE, scimError, ValidationError } from '@csg/shared/contract';
import { BodyError } from '@csg/shared/text';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { logInternalError, toCodedError } from '../../plugins/error-reply.ts';
import { StorageError } from '../../storage/storage-error.ts';

interface ScimProblem {
  readonly status: number;
  readonly detail: string;
  readonly scimType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sets SCIM's media type, and formats every error as in RFC 7644, section 3.12. */
export function registerScimReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode !== 204) reply.type(SCIM_TYPE);
    return payload;
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(reply, problemOf(error) ?? unexpectedProblem(error, request, reply)),
  );
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, {
      status: 404,
      detail: 'SCIM 2.0 has no such resource here: /Users and /Groups exist.',
    }),
  );
}

function sendProblem(
  reply: FastifyReply,
  { status, detail, scimType, headers = {} }: ScimProblem,
): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .type(SCIM_TYPE)
    .serializer(JSON.stringify)
    .send(scimError(status, detail, scimType));
}

function problemOf(error: FastifyError): ScimProblem | null {
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return { status: 415, detail: `Send the body as ${SCIM_TYPE} in UTF-8.` };
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { status: 413, detail: 'The body is too large.' };
  if (error instanceof BodyError || error.validation !== undefined || error instanceof ValidationError) {
    return { status: 400, detail: error.message, scimType: 'invalidSyntax' };
  }
  if (error instanceof StorageError) {
    const isDouble = ['email_taken', 'already_member', 'conflict'].includes((error as StorageError).code);
    if (isDouble) {
      return { status: 409, detail: error.message, scimType: 'uniqueness' };
    }
  }
  return null;
}

function unexpectedProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply): ScimProblem {
  const coded: CodedError = toCodedError(error, request);
  logInternalError(request, reply, coded);
  const { status, message, headers } = coded;
  const { scimType } = coded.fields;
  return { status, detail: message, headers, ...(typeof scimType === 'string' ? { scimType } : {}) };
}
