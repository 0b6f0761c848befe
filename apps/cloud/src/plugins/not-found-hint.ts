import { CodedError } from '@csg/shared/contract';

const BASE = '/api/v1';
const ROUTES = [
  ...['chat/completions', 'completions', 'responses', 'messages', 'embeddings', 'moderations', 'models'],
  ...['images/generations', 'guard', 'security/scan', 'security/redact', 'mcp'],
];

/** Returns not_found; suggests the URL that was probably meant if a base URL lacks `/api/v1`. */
export function notFound(url: string): CodedError {
  const path = (url.split('?', 1)[0] ?? '').replace(/\/+$/, '');
  const route = ROUTES.find((name) => path.endsWith(`/${name}`));
  if (route === undefined || path === `${BASE}/${route}`) return new CodedError('not_found');
  return new CodedError('not_found', {
    message: `Not found. Did you mean ${BASE}/${route}? The base URL for clients ends with ${BASE}.`,
  });
}
