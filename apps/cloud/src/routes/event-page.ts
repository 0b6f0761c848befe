import type { FastifyInstance } from 'fastify';
import { openToAll } from '../plugins/route-access.ts';

/**
 * Where `dashboard_url` leads until the dashboard is there: how to read that event. Holds nothing of the event
 * and does not tell whether it exists, so anybody may see it.
 */
export function registerEventPage(app: FastifyInstance): void {
  app.get<{ Params: { event_id: string } }>(
    '/dashboard/events/:event_id',
    { config: openToAll(), schema: { hide: true } },
    async (request, reply) => {
      const id = /^evt_[0-9A-Za-z]{1,64}$/.test(request.params.event_id) ? request.params.event_id : 'evt_…';
      return reply
        .type('text/html; charset=utf-8')
        .header(
          'Content-Security-Policy',
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        )
        .send(page(id));
    },
  );
}

function page(id: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Why was this blocked?</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 10vh auto; padding: 0 1.25rem; }
  code { display: block; padding: .75rem 1rem; border: 1px solid; border-radius: .5rem; overflow-x: auto; }
</style>
<h1>Why was this blocked?</h1>
<p>Whoever runs this gateway can see which rule fired, where, and how sure it was. The text itself is never stored.</p>
<code>npm run -s gateway -- events show ${id}</code>
<p>If it should not have been blocked, tell them this id.</p>
</html>
`;
}
