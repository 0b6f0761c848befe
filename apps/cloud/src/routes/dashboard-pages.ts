import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { openToAll } from '../plugins/route-access.ts';

const PAGE = '/dashboard/';
/** The build inserts it into every script and style of index.html (apps/cloud/dashboard/vite.config.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Not built</title>
<h1>The dashboard is not built here</h1><p><code>npm start</code> builds it. The API and the command line work without it.</p></html>`;

/**
 * Maps a browser's navigation to the dashboard's single page. URLs of pages and of data share one prefix
 * (`/dashboard/events/evt_…` is both): a browser that navigates to one requests HTML, scripts request JSON.
 */
export function pageTarget(target: string, method: string | undefined, accept: string | undefined): string {
  if (method !== 'GET' && method !== 'HEAD') return target;
  const [pagePath = '', query = ''] = target.split('?', 2);
  if (pagePath === '/dashboard') return PAGE;
  // Files have an extension; a browser navigates to downloads and to single sign-on as to pages.
  const isNoPage =
    /\/export$|^\/dashboard\/sso\/(start|callback)$/.test(pagePath) ||
    /(^|&)format=(csv|jsonl)(&|$)/.test(query);
  if (!pagePath.startsWith(PAGE) || isNoPage || /\.[a-z0-9]+$/.test(pagePath)) return target;
  return accept?.includes('text/html') ? PAGE : target;
}

/** `folder` contains the build; without it a page explains how to build it. */
export async function registerDashboardPages(app: FastifyInstance, folder: string): Promise<void> {
  const config = { config: openToAll(), schema: { hide: true } };
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });

  app.get(PAGE, config, async (_request, reply) => {
    const nonce = randomBytes(18).toString('base64');
    // Read for each request: a new build replaces it together with the files that it references.
    const index = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => null);
    reply.type('text/html; charset=utf-8').header('Vary', 'Accept');
    if (index === null) return reply.code(503).send(NOT_BUILT);
    return reply
      .header('Content-Security-Policy', policy(nonce))
      .header('Permissions-Policy', PERMISSIONS_POLICY)
      .send(index.replaceAll(NONCE_PLACEHOLDER, nonce));
  });

  app.get<{ Params: { name: string } }>('/dashboard/assets/:name', config, (request, reply) =>
    // Their names contain a hash of their content.
    sendFile(reply, `assets/${request.params.name}`, { maxAge: '365d', immutable: true }),
  );
  for (const name of ['icon.svg', 'scheme.js']) {
    app.get(`${PAGE}${name}`, config, (_request, reply) => sendFile(reply, name, { maxAge: '1h' }));
  }
}

function sendFile(
  reply: FastifyReply,
  name: string,
  caching: { readonly maxAge: string; readonly immutable?: boolean },
): FastifyReply {
  // Responses are no-store by default, but files are cached.
  return reply.removeHeader('Cache-Control').sendFile(name, caching);
}

/** The page needs no further browser features, and an injected script does not get them either. */
const PERMISSIONS_POLICY = ['camera', 'geolocation', 'microphone', 'payment', 'usb']
  .map((name) => `${name}=()`)
  .join(', ');

/** Allows nothing from other origins, no inline scripts, and no inline styles without the page's nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
