import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Links } from '../flows/links.ts';
import { GUIDE_CSS } from '../guide/guide-css.ts';
import { indexHtml, missingHtml, pageHtml, searchHtml } from '../guide/guide-html.ts';
import { GUIDE } from '../guide/guide-renderer.ts';
import { type Guide, readGuide } from '../guide/read-guide.ts';
import { searchGuide } from '../guide/search-guide.ts';
import { openToAll } from '../plugins/route-access.ts';

const MAX_QUERY = 200;
/** In the commands of docs/; readers copy them with the address of this service. */
const EXAMPLE_ADDRESS = 'http://127.0.0.1:8787';
const CACHE = 'public, max-age=300';

/** Registers the documentation of this version, with search. Works without scripts. */
export function registerGuide(
  app: FastifyInstance,
  deps: { readonly settings: { readonly guideFolder: string }; readonly links: Pick<Links, 'service'> },
): void {
  const { settings, links } = deps;
  const config = { config: openToAll(), schema: { hide: true } };
  let reading: Promise<Guide> | undefined;
  // Read on first use and then cached: it does not change within a version.
  const guide = () => {
    reading ??= readGuide(settings.guideFolder);
    return reading;
  };
  const html = (reply: FastifyReply, page: string) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Cache-Control', CACHE)
      .header('Content-Security-Policy', POLICY)
      .send(page.replaceAll(EXAMPLE_ADDRESS, links.service()));
  app.get(GUIDE, config, async (_request, reply) => html(reply, indexHtml(await guide())));
  app.get(`${GUIDE}/guide.css`, config, (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('Cache-Control', CACHE).send(GUIDE_CSS),
  );
  app.get<{ Querystring: { q?: string | string[] } }>(`${GUIDE}/search`, config, async (request, reply) => {
    const query = String(request.query.q ?? '').slice(0, MAX_QUERY);
    const read = await guide();
    return html(reply, searchHtml(read, query, searchGuide(read, query)));
  });
  app.get<{ Params: { name: string } }>(`${GUIDE}/:name`, config, async (request, reply) => {
    const read = await guide();
    const page = read.pages.get(request.params.name);
    return page === undefined ? html(reply.code(404), missingHtml(read)) : html(reply, pageHtml(read, page));
  });
}

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
