import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import { slashHint } from '../plugins/not-found-hint.ts';
import { needsScope } from '../plugins/route-access.ts';
import { SERVED_ADDRESSES } from './served-endpoints.ts';

/** First segments of providers' URLs of which nothing is supported. */
const UNSUPPORTED = [
  ...['files', 'uploads', 'batches', 'audio', 'assistants', 'threads', 'vector_stores', 'fine_tuning'],
  ...['fine-tunes', 'realtime', 'conversations', 'evals', 'containers', 'videos', 'organization', 'chatkit'],
  ...['skills', 'edits', 'engines', 'complete', 'experimental', 'organizations', 'rerank', 'ocr', 'fim'],
];
/** First segments of which some URLs are supported. */
const BELOW_SUPPORTED = [
  ...['chat', 'completions', 'embeddings', 'images', 'messages', 'models', 'moderations', 'responses'],
];
/** Entirely a provider's, for any method. */
const PROVIDER_PATHS = ['/model/', '/projects/:project_id/locations/'];

/** Provider routes that the service does not support: a client with a key gets an error; nothing is forwarded. */
export function registerUnsupported(app: FastifyInstance): void {
  // One route for all names. Its parameter is named like a wildcard's, so that method-not-allowed ignores the route.
  registerRest(app, `/:*(${UNSUPPORTED.join('|')})`, true);
  registerRest(app, `/:name(${[...UNSUPPORTED, ...BELOW_SUPPORTED].join('|')})/*`, true);
  for (const path of PROVIDER_PATHS) registerRest(app, `${path}*`, false);
}

/** The same outside of `/api/v1`. */
export function registerUnsupportedOutside(app: FastifyInstance): void {
  for (const path of ['/v1beta', '/openai']) registerRest(app, `${path}/*`, false);
}

/** `isCatchAll`: another method of a supported URL gets 405 instead. */
function registerRest(app: FastifyInstance, url: string, isCatchAll: boolean): void {
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url,
    config: { ...needsScope('proxy'), isCatchAll },
    schema: { hide: true },
    // Rejects before the body is read: it may be a file of any size and type.
    onRequest: (request, _reply, done) => done(unsupportedRoute(request.url)),
    handler: (request) => {
      throw unsupportedRoute(request.url);
    },
  });
}

/** Suggests a served route whose path differs in case, separators, or a plural. */
function nearHint(url: string): string | undefined {
  const wanted = roughPath(url);
  const near = SERVED_ADDRESSES.find((address) => roughPath(address) === wanted);
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

function roughPath(address: string): string {
  const path = address
    .slice(address.indexOf('/api/'))
    .split('?', 1)[0]!
    .replace('/api/v1/proxy/', '/api/v1/');
  return path
    .toLowerCase()
    .replace(/[-_]/g, '')
    .replace(/s(?=\/|$)/g, '');
}

export function unsupportedRoute(url: string): CodedError {
  const [first, second, third] = SERVED_ADDRESSES.filter((address) => address.startsWith('POST '));
  const hint =
    slashHint(url, (path) => SERVED_ADDRESSES.some((address) => address.endsWith(` ${path}`))) ??
    nearHint(url) ??
    `Supported routes are ${first}, ${second}, ${third} and others (error.supported).`;
  return new CodedError('unsupported_route', {
    message: `This provider route is not supported. Nothing was forwarded. ${hint}`,
    fields: { supported: SERVED_ADDRESSES },
  });
}
