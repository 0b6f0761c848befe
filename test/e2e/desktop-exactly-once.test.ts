/**
 * Offline decisions reach the record exactly once: with lost responses, kill -9 during the upload, and an unfinished
 * write in the journal.
 */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Json } from '../support/answers.ts';
import { type AgentTestEnv, ATTACK, openAgentTestEnv } from '../support/desktop/agent-test-env.ts';
import { noCurl } from '../support/desktop/curl.ts';
import { type LossyProxy, startLossyProxy } from '../support/desktop/lossy-proxy.ts';
import { cases } from '../support/part.ts';
import { untilTrue } from '../support/until.ts';

const EVENTS = '/api/v1/devices/events';
let testEnv: AgentTestEnv;
let front: LossyProxy;

before(async () => {
  testEnv = await openAgentTestEnv({
    async frontOf(address) {
      front = await startLossyProxy(address);
      return front.url;
    },
  });
});
after(async () => {
  await testEnv.close();
  await front.close();
});

/** Blocks `count` requests offline and collects the event ids shown to users. */
async function decideOffline(count: number, ids: string[]): Promise<void> {
  const port = await testEnv.proxyPort();
  for (let i = 0; i < count; i++) {
    const refused = await testEnv.ask(`${ATTACK} Number ${i}.`, port);
    const [, id = ''] = /\(reference (evt_\w+)\)/.exec(refused.stdout) ?? [];
    assert.notEqual(id, '', refused.stdout);
    ids.push(id);
  }
}

test('each event is recorded once, whatever is lost on the way', { skip: noCurl }, async () => {
  const ids: string[] = [];
  let agent = await testEnv.start();
  await testEnv.gateway.kill();
  await decideOffline(12, ids);
  assert.ok((await testEnv.agent.status()).events_waiting >= 12);

  // The service stores the events, and the agent dies before the response arrives; several times.
  front.lose(EVENTS);
  await testEnv.restartGateway();
  for (let round = 0; round < cases(2, 3); round++) {
    const before = front.lost();
    await untilTrue(
      () => front.lost() > before,
      () => `nothing was sent:\n${agent.output()}`,
    );
    await agent.end('SIGKILL');
    // An unfinished write: part of a frame after the last complete one.
    const wal = path.join(testEnv.agent.stateDir, 'journal.sqlite-wal');
    if (existsSync(wal)) appendFileSync(wal, Buffer.alloc(1_777, round + 1));
    agent = await testEnv.start();
    await decideOffline(1, ids).catch(() => {});
  }
  front.lose(null);
  await untilTrue(
    async () => (await testEnv.agent.status()).events_waiting === 0,
    () => `events wait still:\n${agent.output()}`,
  );
  await agent.end('SIGTERM');

  const { events } = (await testEnv.operator.json(['events', 'list', '--limit', '500'])) as {
    events: Json[];
  };
  const counts = new Map<string, number>();
  for (const { id } of events) counts.set(String(id), (counts.get(String(id)) ?? 0) + 1);
  for (const id of ids) assert.equal(counts.get(id), 1, `${id} of ${ids.length}`);
  const exported = await testEnv.operator.run(['audit', 'export']);
  assert.equal(exported.code, 0, exported.stderr);
  const rows = exported.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  for (const id of ids) {
    assert.equal(rows.filter(({ subject }) => subject === id).length, 1, `audit rows of ${id}`);
  }
  const verified = await testEnv.operator.run(['audit', 'verify']);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
});
