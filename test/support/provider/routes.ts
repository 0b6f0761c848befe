import type { IncomingHttpHeaders } from 'node:http';

export type ProviderRoute = 'chat' | 'messages' | 'responses' | 'count_tokens' | 'models';

const ROUTES: readonly (readonly [string, string, ProviderRoute])[] = [
  ['POST', '/v1/chat/completions', 'chat'],
  ['POST', '/v1/messages', 'messages'],
  ['POST', '/v1/messages/count_tokens', 'count_tokens'],
  ['POST', '/v1/responses', 'responses'],
  ['GET', '/v1/models', 'models'],
];

/** Matches the end of the path, so that a base address with a path of its own works too. */
export function findRoute(method: string, path: string): ProviderRoute | undefined {
  if (method === 'GET' && /\/v1\/models\/[^/]+$/.test(path)) return 'models';
  if (method === 'POST' && /:(?:stream)?rawPredict$/i.test(path)) return 'messages';
  // Azure has the same routes below its own addresses.
  const plain = path.replace(/\/openai(?:\/v1|\/deployments\/[^/]+)?(?=\/)/, '/v1');
  return ROUTES.find(([verb, end]) => verb === method && plain.endsWith(end))?.[2];
}

export interface ProviderError {
  readonly status: number;
  readonly body: object;
}

/** Rejections of a real provider before any work: a missing or wrong credential, a missing version. */
export function refuse(route: ProviderRoute, headers: IncomingHttpHeaders): ProviderError | null {
  const bearer = headers.authorization?.replace(/^Bearer /, '');
  const key = headers['x-api-key'] ?? bearer;
  if (headers['api-key'] !== undefined) return null;
  const anthropic = route === 'messages' || route === 'count_tokens';
  if (anthropic ? key === undefined : bearer === undefined && headers['anthropic-version'] === undefined) {
    return anthropic
      ? anthropicError(401, 'authentication_error', 'x-api-key header is required')
      : openaiError(401, 'invalid_request_error', null, "You didn't provide an API key.");
  }
  if (String(key).startsWith('sk-wrong')) {
    return anthropic
      ? anthropicError(401, 'authentication_error', 'invalid x-api-key')
      : openaiError(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.');
  }
  if (anthropic && headers['anthropic-version'] === undefined) {
    return anthropicError(400, 'invalid_request_error', 'anthropic-version: header is required');
  }
  return null;
}

export function openaiError(
  status: number,
  type: string,
  code: string | null,
  message: string,
): ProviderError {
  return { status, body: { error: { message, type, param: null, code } } };
}

function anthropicError(status: number, type: string, message: string): ProviderError {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_standin' } };
}
