/**
 * What a gateway costs that only scans: Fastify, undici, the provider's dialect and the engine over prompt and answer, as
 * ours uses them. No keys, limits, policies, headers, events or audit rows: those stand between this and ours.
 */
import type { AddressInfo } from 'node:net';
import { decideFindings } from '@csg/shared/decision';
import { compileRuleset, scan, Workspace } from '@csg/shared/detection';
import { formatByName, type WireFormat } from '@csg/shared/providers';
import { parseStrictJson, type TextSlot } from '@csg/shared/text';
import Fastify from 'fastify';
import { Pool } from 'undici';
import { createTurnQueue } from '../../../apps/cloud/src/detection-workers/turn-queue.ts';
import { ResponseGatherer } from '../../../apps/cloud/src/upstream/gather-response.ts';

const dialect: WireFormat = formatByName('openai-chat');
const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
const workspace = new Workspace();
const MAX_BYTES = 16_777_216;
const budget = { used: 0, max: 32 * MAX_BYTES };
const turns = createTurnQueue(48_000);
const pool = new Pool(process.argv[2] ?? '', { connections: 4_096, headersTimeout: 0, bodyTimeout: 0 });

const app = Fastify({ http: { keepAliveTimeout: 75_000 }, bodyLimit: MAX_BYTES });
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);
app.post('/v1/chat/completions', async (request, reply) => {
  const body = request.body as Buffer;
  const sentRequest = dialect.readRequest(parseStrictJson(body).value).slots;
  if ((await judge(sentRequest, 'input')) !== 'allow')
    throw new Error('the benchmark sends nothing to object to');
  const { host: _host, connection: _c, 'content-length': _l, ...headers } = request.headers;
  const gatherer = new ResponseGatherer(MAX_BYTES, budget);
  pool.dispatch({ method: 'POST', path: request.url, headers, body }, gatherer);
  const answer = await gatherer.response;
  const systemSlots = sentRequest.filter((slot) => slot.role === 'system');
  const answered = dialect.readResponse(parseStrictJson(answer.body).value).slots;
  const decision = await judge(answered, 'output', systemSlots);
  return reply
    .code(answer.status)
    .headers({ 'content-type': 'application/json', 'x-service-decision': decision })
    .send(answer.body);
});

const OWNER = { organizationId: 'bench', deviceId: null };

function judge(
  slots: readonly TextSlot[],
  direction: 'input' | 'output',
  systemSlots: readonly TextSlot[] = [],
) {
  const size = slots.reduce((sum, { text }) => sum + text.length, 0);
  return turns.run(
    OWNER,
    size,
    () =>
      decideFindings(scan(slots, ruleset, direction, { systemSlots, workspace }), ruleset, direction)
        .decision,
  );
}

await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`listening on http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
