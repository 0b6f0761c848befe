import {
  ERRORS,
  type ErrorCode,
  errorResponseSchema,
  invalidBodySchema,
  validationErrorSchema,
} from '@csg/shared/contract';
import type { TSchema } from 'typebox';

export interface Documented {
  /** Its `operationId`: stable, for generated clients. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Schema of the success body; null where there is none. */
  readonly response: TSchema | null;
  readonly status?: number;
  /** Codes this route can answer with, beside those every route can. */
  readonly codes?: readonly ErrorCode[];
  readonly open?: boolean;
  /** True: the provider credential is sent as well. */
  readonly takesProviderKey?: boolean;
  /** True: the handler validates the body itself (proxied bodies are the provider's business). */
  readonly bodyIsOpaque?: boolean;
  /** False: an `Idempotency-Key` means nothing to it. */
  readonly replays?: boolean;
}

/** What every route for a service key can answer. */
const KEY_CODES: readonly ErrorCode[] = [
  'disabled_api_key',
  'expired_api_key',
  'insufficient_scope',
  'rate_limit_exceeded',
];
/** What every route that takes a body can answer. */
const BODY_CODES: readonly ErrorCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];
const REPLAY_CODES: readonly ErrorCode[] = ['idempotency_in_progress', 'idempotency_not_replayable'];

/** A route's schema for validation and for the OpenAPI document, from one description. */
export function documented(route: Documented): Record<string, unknown> {
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
    response: {
      [route.status ?? 200]: route.response ?? { type: 'null', description: 'No content.' },
      ...errorResponses(route),
      ...misfits(route),
    },
  };
}

/** One response for each status that a code of the route has. */
function errorResponses(route: Documented): Record<string, unknown> {
  const { replays = true } = route;
  const codes = new Set([
    ...(route.codes ?? []),
    ...(route.open ? [] : KEY_CODES),
    ...(route.body === undefined ? [] : BODY_CODES),
    ...(route.body === undefined || !replays ? [] : REPLAY_CODES),
  ]);
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      jsonResponse(names.map((name) => `\`${name}\``).join(', '), errorResponseSchema),
    ]),
  );
}

/** The 422 of a route that validates its address or its body. */
function misfits({ params, query, body, bodyIsOpaque, replays = true }: Documented): Record<string, unknown> {
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
