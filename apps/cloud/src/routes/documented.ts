import {
  ERRORS,
  type ErrorCode,
  errorResponseSchema,
  invalidBodySchema,
  validationErrorSchema,
} from '@csg/shared/contract';
import type { TSchema } from 'typebox';
import { COMMON_ERRORS, type CommonErrors, type ErrorReply } from './common-errors.ts';

/** Errors that all routes of a kind share. */
export interface CommonCodes {
  /** The kind, such as `API key`; determines the name of their response in the OpenAPI document. */
  readonly of: string;
  readonly codes: readonly ErrorCode[];
}

export interface Documented {
  /** The `operationId`: stable, for generated clients. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Schema of the success body; null: there is none. */
  readonly response: TSchema | null;
  readonly status?: number;
  /** Error codes of this route, in addition to those of its kind. */
  readonly codes?: readonly ErrorCode[];
  /** Error codes of its kind. Default: those of routes for an API key, unless the route is open. */
  readonly common?: CommonCodes;
  readonly open?: boolean;
  /** True: the provider credential is sent as well. */
  readonly takesProviderKey?: boolean;
  /** True: the handler validates the body itself (proxied bodies have the provider's format). */
  readonly bodyIsOpaque?: boolean;
  /** False: ignores `Idempotency-Key`. */
  readonly replays?: boolean;
}

/** Error codes of every route for an API key. */
export const KEY_CODES: readonly ErrorCode[] = [
  'disabled_api_key',
  'expired_api_key',
  'insufficient_scope',
  'rate_limit_exceeded',
];
const API_KEY: CommonCodes = {
  of: 'API key',
  codes: ['missing_api_key', 'invalid_api_key', ...KEY_CODES],
};
/** Error codes of a scan route, which reports any invalid key as `unauthorized`. */
export const SCAN: CommonCodes = {
  of: 'scan',
  codes: ['unauthorized', ...KEY_CODES, 'quota_exceeded', 'detection_unavailable'],
};
/** Error codes of every route with a body. */
const BODY_CODES: readonly ErrorCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];
const REPLAY_CODES: readonly ErrorCode[] = ['idempotency_in_progress', 'idempotency_not_replayable'];

/** Returns a route's schema for validation and for the OpenAPI document, from one description. */
export function documented(route: Documented): Record<string, unknown> {
  const common = commonCodes(route);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.params === undefined ? {} : { params: route.params }),
    ...(route.query === undefined ? {} : { querystring: route.query }),
    ...(route.body === undefined ? {} : { body: route.body }),
    ...(route.open ? { security: [] } : {}),
    ...(route.takesProviderKey ? { security: [{ serviceKey: [], providerKey: [] }] } : {}),
    ...(common.of === '' ? {} : { [COMMON_ERRORS]: commonErrors(common, route) }),
    response: {
      [route.status ?? 200]: route.response ?? { type: 'null', description: 'No content.' },
      ...errorResponses([...(route.codes ?? []), ...common.codes]),
      ...misfits(route),
    },
  };
}

/** Error codes for its credential, its body and its `Idempotency-Key`. */
function commonCodes({ open, common, params, query, body, replays = true }: Documented): CommonCodes {
  const credential = common ?? (open ? undefined : API_KEY);
  const parts = [
    ...(credential === undefined ? [] : [credential]),
    ...(params === undefined && query === undefined ? [] : [{ of: 'parameters', codes: [] }]),
    ...(body === undefined ? [] : [{ of: 'body', codes: BODY_CODES }]),
    ...(body === undefined || !replays ? [] : [{ of: 'idempotency', codes: REPLAY_CODES }]),
  ];
  return { of: parts.map((part) => part.of).join(', '), codes: parts.flatMap(({ codes }) => codes) };
}

function commonErrors({ of, codes }: CommonCodes, route: Documented): CommonErrors {
  return { of, responses: { ...errorResponses(codes), ...misfits(route) } };
}

/** Returns one response for each status of the codes. */
function errorResponses(codes: readonly ErrorCode[]): Record<string, ErrorReply> {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      jsonResponse(names.map((name) => `\`${name}\``).join(', '), errorResponseSchema),
    ]),
  );
}

/** Returns the 422 response of a route that validates its parameters or its body. */
function misfits({
  params,
  query,
  body,
  bodyIsOpaque,
  replays = true,
}: Documented): Record<string, ErrorReply> {
  if (body !== undefined && !bodyIsOpaque) {
    return replays
      ? { 422: jsonResponse('The body is invalid, or `idempotency_key_reused`.', invalidBodySchema) }
      : { 422: jsonResponse('The body is invalid.', validationErrorSchema) };
  }
  if (params === undefined && query === undefined) return {};
  return { 422: jsonResponse('A parameter is invalid.', validationErrorSchema) };
}

const jsonResponse = (description: string, schema: TSchema) => ({
  description,
  content: { 'application/json': { schema } },
});
