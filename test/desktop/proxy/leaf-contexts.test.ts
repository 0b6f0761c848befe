import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLeafContexts } from '../../../apps/desktop/src/proxy/leaf-contexts.ts';
import { newAuthority } from '../../support/desktop/certificates.ts';

const HOUR = 3_600_000;
const authority = await newAuthority(['a.example']);
const leaf = await authority.issuer.leafFor('a.example', Date.now());

test('a leaf is requested once, cached, and requested again if the clock jumps either way', async () => {
  let nowMs = Date.now();
  let asked = 0;
  const contexts = createLeafContexts(
    (host) => {
      asked++;
      contexts.arrived(host, leaf);
    },
    () => nowMs,
  );
  const first = await contexts.contextFor('a.example');
  assert.equal(first.kind, 'ready');
  assert.equal(await contexts.contextFor('a.example'), first);
  assert.equal(asked, 1);
  nowMs -= 60_000;
  assert.equal(await contexts.contextFor('a.example'), first, 'clocks are corrected every day');
  nowMs -= 24 * HOUR;
  assert.notEqual(await contexts.contextFor('a.example'), first, 'the leaf is not valid yet');
  nowMs += 72 * HOUR;
  await contexts.contextFor('a.example');
  assert.equal(asked, 3, 'it has expired');
});

test('a refusal is cached for a minute, even if the clock is set back', async () => {
  let nowMs = 10 * HOUR;
  let asked = 0;
  const contexts = createLeafContexts(
    (host) => {
      asked++;
      contexts.arrived(host, null);
    },
    () => nowMs,
  );
  for (const stepMs of [0, 30_000, 40_000, -5 * HOUR]) {
    nowMs += stepMs;
    assert.deepEqual(await contexts.contextFor('a.example'), { kind: 'refused' });
  }
  assert.equal(asked, 3);
});

/** An agent that responds when the test says so; clock and timers are moved manually. */
function stalledAgent(t: TestContext, startMs = 0) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = startMs;
  const asked: string[] = [];
  const contexts = createLeafContexts(
    (host) => asked.push(host),
    () => nowMs,
  );
  return {
    asked,
    contexts,
    kind: async () => (await contexts.contextFor('a.example')).kind,
    pass(ms: number) {
      nowMs += ms;
      t.mock.timers.tick(ms);
    },
    setClock(ms: number) {
      nowMs = ms;
    },
  };
}

const soon = { chain: leaf.chain, key: leaf.key, notAfterMs: 24 * HOUR };

test('a leaf that arrives late is used from then on', async (t) => {
  const agent = stalledAgent(t);
  const first = agent.kind();
  agent.pass(3_000);
  assert.equal(await first, 'late');
  agent.contexts.arrived('a.example', soon);
  assert.equal(await agent.kind(), 'ready');
  agent.pass(20 * HOUR);
  assert.equal(await agent.kind(), 'ready', '20 hours later');
  assert.equal(agent.asked.length, 1);
});

test('a missing leaf is requested again after each second', async (t) => {
  const agent = stalledAgent(t);
  for (let round = 1; round <= 5; round++) {
    const waiting = [agent.kind(), agent.kind()];
    assert.equal(agent.asked.length, round, 'concurrent waiters share one request');
    agent.pass(3_000);
    assert.deepEqual(await Promise.all(waiting), ['late', 'late']);
    agent.pass(999);
    assert.equal(await agent.kind(), 'late', 'within the second no client waits again');
    agent.pass(1);
  }
  const waiting = agent.kind();
  agent.contexts.arrived('a.example', soon);
  assert.equal(await waiting, 'ready');
  agent.pass(3_000);
  assert.equal(await agent.kind(), 'ready', 'the timer of an answered request does nothing');
});

test('a clock that is set back does not delay the second request', async (t) => {
  const agent = stalledAgent(t, 10 * HOUR);
  const first = agent.kind();
  agent.pass(3_000);
  assert.equal(await first, 'late');
  agent.setClock(10 * HOUR - 20 * 60_000);
  agent.kind();
  assert.equal(agent.asked.length, 2);
});

test('while the next leaf is late or refused, the previous one is used until it expires', async (t) => {
  const agent = stalledAgent(t);
  agent.contexts.arrived('a.example', soon);
  agent.pass(22 * HOUR);
  const waiting = agent.kind();
  assert.equal(agent.asked.length, 1);
  agent.pass(3_000);
  assert.equal(await waiting, 'ready');
  agent.contexts.arrived('a.example', null);
  assert.equal(await agent.kind(), 'ready');
  agent.pass(2 * HOUR);
  const over = agent.kind();
  agent.pass(3_000);
  assert.equal(await over, 'late');
});
