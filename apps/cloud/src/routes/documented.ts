import { ERRORS, type ErrorCode, validationErrorSchema } from '@csg/shared/contract';
import Type, { type TSchema } from 'typebox';

export interface Documented {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Schema of the success body; null where there is none. */
  readonly answer: TSchema | null;
  readonly status?: number;
  /** Codes this route can answer with, beside those every route can. */
  readonly codes?: readonly ErrorCode[];
  readonly open?: boolean;
  /** True: the provider credential is sent as well. */
  readonly takesProviderKey?: boolean;
  /** True: the handler validates the body itself (proxied bodies are the vendor's business). */
  readonly bodyIsOpaque?: boolean;
  /** False: an `Idempotency-Key` means nothing to it. */
  readonly replays?: boolean;
}

export const errorEnvelopeSchema = Type.Object(
  {
    error: Type.Object(
      {
        message: Type.String(),
        type: Type.String(),
        code: Type.String(),
        event_id: Type.Optional(Type.String()),
        dashboard_url: Type.Optional(Type.String()),
      },
      { additionalProperties: true },
    ),
  },
  { description: 'Branch on `error.code`; `message` is for people.' },
);

/** What every route that takes a body can answer. */
const BODY_CODES: readonly ErrorCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];

/** A route's schema for validation and for the OpenAPI file, from one description. */
export function documented(route: Documented): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  const status = String(route.status ?? 200);
  responses[status] =
    route.answer === null
      ? { type: 'null', description: 'Nothing.' }
      : { description: 'Success', ...route.answer };
  const byStatus = new Map<number, ErrorCode[]>();
  const codes = new Set<ErrorCode>(route.codes ?? []);
  if (!route.open)
    for (const code of [
      'disabled_api_key',
      'expired_api_key',
      'insufficient_scope',
      'rate_limit_exceeded',
    ] as const)
      codes.add(code);
  const { replays = true } = route;
  if (route.body !== undefined) {
    for (const code of BODY_CODES) codes.add(code);
    if (replays) codes.add('idempotency_in_progress').add('idempotency_not_replayable');
  }
  for (const code of codes) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, names] of byStatus) {
    responses[String(status)] = {
      ...errorEnvelopeSchema,
      description: names.map((name) => `\`${name}\``).join(', '),
    };
  }
  if (route.params !== undefined || route.query !== undefined) {
    responses['422'] = { ...validationErrorSchema, description: 'The address does not fit the schema.' };
  }
  if (route.body !== undefined && !route.bodyIsOpaque) {
    responses['422'] = replays
      ? {
          anyOf: [validationErrorSchema, errorEnvelopeSchema],
          description: 'The body does not fit the schema, or `idempotency_key_reused`.',
        }
      : { ...validationErrorSchema, description: 'The body does not fit the schema.' };
  }
  return {
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.params === undefined ? {} : { params: route.params }),
    ...(route.query === undefined ? {} : { querystring: route.query }),
    ...(route.body === undefined ? {} : { body: route.body }),
    ...(route.open ? { security: [] } : {}),
    ...(route.takesProviderKey ? { security: [{ serviceKey: [], providerKey: [] }] } : {}),
    response: responses,
  };
}
