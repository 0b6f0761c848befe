import { CodedError, errorEnvelope, ValidationError, type ValidationIssue } from '@csg/shared/contract';
import { BodyError } from '@csg/shared/text';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StorageError } from '../storage/storage-error.ts';
import { notAllowedOrigin, notFound } from './not-found-hint.ts';
import { readValidationDetail } from './validation-detail.ts';
import { completeDetail } from './validation-input.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The only place that turns an error into a body. Never includes a stack or text of the request. */
export function registerErrorReply(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.validation !== undefined) {
      const issues = readValidationDetail(error.validation, error.validationContext ?? 'body');
      return sendValidation(request, reply, issues);
    }
    if (error instanceof ValidationError) return sendValidation(request, reply, error.detail);
    return sendCoded(request, reply, toCodedError(error, request));
  });
  app.setNotFoundHandler((request, reply) => {
    sendCoded(request, reply, isPreflight(request) ? notAllowedOrigin() : notFound(request.raw.url ?? ''));
  });
}

/** Preflights of allowed origins are answered earlier. */
function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function sendValidation(
  request: FastifyRequest,
  reply: FastifyReply,
  issues: readonly ValidationIssue[],
): FastifyReply {
  const { body, query, params, headers } = request;
  const detail = completeDetail(issues, { body, query, querystring: query, params, headers });
  return reply
    .code(422)
    .header('X-Error-Code', 'validation_error')
    .type(JSON_TYPE)
    .serializer(JSON.stringify)
    .send({ detail });
}

function sendCoded(request: FastifyRequest, reply: FastifyReply, error: CodedError): FastifyReply {
  logInternalError(request, reply, error);
  if (isForAmazon(request)) reply.header('x-amzn-errortype', amazonErrorType(error.status));
  if (isForGoogle(request) && error.shownCode === undefined)
    reply.raw.statusMessage = toReasonPhrase(error.message);
  // RFC 9110, section 15.5.2: every 401 says how to sign in.
  if (error.status === 401) reply.header('WWW-Authenticate', 'Bearer');
  // Serialized without a schema: the route's schema for this status may describe another error.
  return reply
    .code(error.status)
    .headers(error.headers)
    .type(JSON_TYPE)
    .serializer(JSON.stringify)
    .send({
      ...(isForAnthropic(request) ? { type: 'error' } : {}),
      ...errorEnvelope(error),
      ...(isForAmazon(request) ? { message: error.message } : {}),
    });
}

export function logInternalError(request: FastifyRequest, reply: FastifyReply, error: CodedError): void {
  // If the client has disconnected, there is no one to respond to, and no component of ours failed.
  if (!isInternalError(error) || reply.raw.destroyed) return;
  request.log.error({ code: error.code, err: error.cause ?? error }, error.message);
}

/** Anthropic's clients only show a message if the member `type` is present. */
function isForAnthropic({ headers }: FastifyRequest): boolean {
  return headers['anthropic-version'] !== undefined;
}

/** Amazon's clients need the member `message` to show a message, and the header to show the name of an error. */
function isForAmazon({ url }: FastifyRequest): boolean {
  return /^\/api\/v1(?:\/proxy)?\/model\//.test(url);
}

/** A common client of Google's API shows the message only next to a numeric code, otherwise the reason phrase. */
function isForGoogle({ url }: FastifyRequest): boolean {
  return /^\/api\/(?:v1beta|v1(?:\/proxy)?)\/models\//.test(url);
}

/** RFC 9112, section 4: a single line. Of the allowed characters only ASCII is safe everywhere. */
function toReasonPhrase(message: string): string {
  return message.replace(/[^ -~]+/g, ' ').slice(0, MAX_REASON_PHRASE_CHARACTERS);
}

const MAX_REASON_PHRASE_CHARACTERS = 300;
const AMAZON_TYPES: Readonly<Record<number, string>> = {
  401: 'UnrecognizedClientException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
};

function amazonErrorType(status: number): string {
  return AMAZON_TYPES[status] ?? (status < 500 ? 'ValidationException' : 'InternalServerException');
}

/** False for `service_unavailable` without a cause: that state is logged once, not for each request told to retry. */
function isInternalError(error: CodedError): boolean {
  return error.status >= 500 && (error.code !== 'service_unavailable' || error.cause !== undefined);
}

/** PostgreSQL does not accept NUL characters in text. */
const UNSTORABLE = 'The request contains a value that cannot be stored, such as a NUL character (\\u0000).';

/** True for an invalid value in the request (SQLSTATE class 22), not for our constraints or a closed database. */
function isUnstorable(error: unknown): boolean {
  if (!(error instanceof StorageError) || error.code !== 'rejected') return false;
  return /^22...$/.test(String((error.cause as { code?: unknown } | undefined)?.code ?? ''));
}

/** Maps Fastify's errors to the service's; any unknown error is a 500 with the request's id and no detail. */
export function toCodedError(error: unknown, request: FastifyRequest): CodedError {
  if (error instanceof CodedError) return error;
  if (error instanceof BodyError) return new CodedError('invalid_request', { message: error.message });
  if (isUnstorable(error)) {
    request.log.warn({ err: error }, 'the database refused a value of a request');
    return new CodedError('invalid_request', { cause: error, message: UNSTORABLE });
  }
  if (error instanceof StorageError && (error as StorageError).code === 'broken_reference') {
    return new CodedError('invalid_state', { cause: error, message: `${error.message} Reload it.` });
  }
  if (error instanceof StorageError) {
    return new CodedError('service_unavailable', {
      cause: error,
      headers: { 'Retry-After': '5' },
      fields: { retry_after: 5 },
    });
  }
  const { code, statusCode, message } = error as FastifyError;
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new CodedError('unsupported_media_type');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new CodedError('payload_too_large');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return new CodedError('invalid_request', { message });
    default:
      // Errors of other plugins, such as a file outside of the served folder, have no further detail.
      if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
        return new CodedError(statusCode < 405 ? 'not_found' : 'invalid_request');
      }
      return new CodedError('internal_error', { cause: error, fields: { error_id: request.id } });
  }
}
