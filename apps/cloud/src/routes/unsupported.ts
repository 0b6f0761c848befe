import { CodedError } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import { needsScope } from '../plugins/route-access.ts';
import { SERVED_ADDRESSES } from './served-endpoints.ts';

/** Beginnings of addresses that belong to providers; what they lead to is not supported. */
const UNSUPPORTED = [
  ...['files', 'uploads', 'batches', 'audio', 'assistants', 'threads', 'vector_stores', 'fine_tuning'],
  ...['fine-tunes', 'realtime', 'conversations', 'evals', 'containers', 'videos', 'organization', 'chatkit'],
  ...['skills', 'edits', 'engines', 'complete', 'experimental', 'organizations', 'rerank', 'ocr', 'fim'],
];
/** The same, where the address itself or some below it are supported. */
const BELOW_SUPPORTED = ['chat', 'completions', 'embeddings', 'images', 'messages', 'models', 'moderations'];
const PATHS = [
  ...UNSUPPORTED.map((name) => `/${name}`),
  ...[...BELOW_SUPPORTED, 'responses'].map((name) => `/${name}/`),
];
/** All of it is a provider's, whatever the method. */
const PROVIDER_PATHS = ['/model/', '/projects/:project_id/locations/'];

/** Routes of providers that the service does not serve: a client with a key gets an error, and nothing is forwarded. */
export function registerUnsupported(app: FastifyInstance): void {
  for (const path of PATHS) registerBelow(app, path, true);
  for (const path of PROVIDER_PATHS) registerBelow(app, path, false);
}

/** The same outside of `/api/v1`. */
export function registerUnsupportedOutside(app: FastifyInstance): void {
  for (const path of ['/v1beta', '/openai']) registerBelow(app, path, false);
}

/** `isCatchAll`: another method of a served address is told so instead. */
function registerBelow(app: FastifyInstance, path: string, isCatchAll: boolean): void {
  const isAddress = (rest = ''): boolean => path.endsWith('/') || rest === '' || rest.startsWith('/');
  app.route<{ Params: { readonly '*'?: string } }>({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: `${path}*`,
    config: { ...needsScope('proxy'), isCatchAll },
    schema: { hide: true },
    // Before a body is read: it may be a file of any size and type.
    onRequest: (request, _reply, done) =>
      done(isAddress(request.params['*']) ? unsupportedRoute() : new CodedError('not_found')),
    handler: () => {
      throw unsupportedRoute();
    },
  });
}

function unsupportedRoute(): CodedError {
  const [first, second, third] = SERVED_ADDRESSES.filter((address) => address.startsWith('POST '));
  return new CodedError('unsupported_route', {
    message: `This route of a provider is not supported here, and nothing was forwarded. Supported are ${first}, ${second}, ${third} and others (error.supported).`,
    fields: { supported: SERVED_ADDRESSES },
  });
}
