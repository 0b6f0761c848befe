/**
 * What a gateway costs that only scans: Fastify, the vendor's dialect, the engine over prompt and answer, on the event
 * loop and one at a time. No keys, limits, policies, events or audit rows: those stand between this and ours.
 */
import type { AddressInfo } from 'node:net';
import { compileRuleset, decide, scan } from '@csg/shared/detection';
import { type Dialect, dialectByName } from '@csg/shared/dialects';
import { parseStrictJson, type TextSlot } from '@csg/shared/text';
import Fastify from 'fastify';
import { Pool } from 'undici';

const dialect: Dialect = dialectByName('openai-chat');
const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
const pool = new Pool(process.argv[2] ?? '', { connections: 4_096, headersTimeout: 0, bodyTimeout: 0 });

const app = Fastify({ http: { keepAliveTimeout: 75_000 }, bodyLimit: 10_485_760 });
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);
app.post('/v1/chat/completions', async (request, reply) => {
  const body = request.body as Buffer;
  const asked = dialect.readRequest(parseStrictJson(body).value).slots;
  if (judge(asked, 'input') !== 'allow') throw new Error('the benchmark sends nothing to object to');
  const { host: _host, connection: _c, 'content-length': _l, ...headers } = request.headers;
  const answer = await pool.request({ method: 'POST', path: request.url, headers, body });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  const told = asked.filter((slot) => slot.role === 'system');
  const decision = judge(dialect.readAnswer(parseStrictJson(bytes).value).slots, 'output', told);
  return reply
    .code(answer.statusCode)
    .headers({ 'content-type': 'application/json', 'x-service-decision': decision })
    .send(bytes);
});

function judge(slots: readonly TextSlot[], direction: 'input' | 'output', told: readonly TextSlot[] = []) {
  return decide(scan(slots, ruleset, direction, told), ruleset, direction).decision;
}

await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`listening on http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
