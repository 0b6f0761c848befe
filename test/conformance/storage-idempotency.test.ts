import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IdempotencyLease, Storage } from '../../apps/cloud/src/storage/storage.ts';
import { NOON, onEveryEngine } from './storage-engines.ts';

const LEASE_MS = 60_000;
const DAY_MS = 86_400_000;

onEveryEngine('Idempotency records', (engine) => {
  let storage: Storage;
  before(async () => {
    storage = await engine.open();
  });
  const begin = (key: string, change: { fingerprint?: string; nowMs?: number; keyId?: string } = {}) =>
    storage.idempotency.begin({
      organizationId: 'org_1',
      keyId: 'key_1',
      key,
      fingerprint: 'f',
      leaseMs: LEASE_MS,
      nowMs: NOON,
      ...change,
    });
  const start = async (
    key: string,
    change: { fingerprint?: string; nowMs?: number } = {},
  ): Promise<IdempotencyLease> => {
    const begun = await begin(key, change);
    assert.equal(begun.state, 'started');
    return (begun as { lease: IdempotencyLease }).lease;
  };

  test('of a thousand concurrent requests one starts; the others get "running", then its response', async () => {
    const begun = await Promise.all(Array.from({ length: 1000 }, () => begin('race')));
    const started = begun.filter(({ state }) => state === 'started');
    assert.equal(started.length, 1);
    assert.equal(begun.filter(({ state }) => state === 'running').length, 999);
    const body = Buffer.alloc(1 << 20, 'answer ü ');
    const response = {
      status: 201,
      headers: { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] },
      body,
    };
    const [winner] = started as { lease: IdempotencyLease }[];
    assert.equal(await winner?.lease.finish(response), true);
    const again = await begin('race');
    assert.equal(again.state, 'done');
    assert.deepEqual((again as { response: unknown }).response, response);
    assert.equal((await begin('race', { fingerprint: 'other' })).state, 'mismatch');
    assert.equal((await begin('race', { keyId: 'key_2' })).state, 'started');
  });

  test('a response stored in a transaction is kept with it, and can no longer be abandoned', async () => {
    const lease = await start('in a transaction');
    const answer = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text) });
    const undone = storage.transaction(async ({ idempotency }) => {
      assert.equal(await idempotency.store(lease.name, answer('undone')), true);
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    assert.equal((await begin('in a transaction')).state, 'running');
    await storage.transaction(({ idempotency }) => idempotency.store(lease.name, answer('done')));
    await lease.abandon();
    const kept = await begin('in a transaction', { nowMs: NOON + LEASE_MS });
    assert.equal(kept.state === 'done' && kept.response.body.toString(), 'done');
    assert.equal(await lease.finish(answer('whole')), true, 'stored in more detail');

    const lost = await start('taken over');
    await start('taken over', { nowMs: NOON + LEASE_MS });
    const late = storage.transaction(({ idempotency }) => idempotency.store(lost.name, answer('late')));
    assert.equal(await late, false);
  });

  test('responses are stored for 24 hours within a budget of each organization', async () => {
    const clock = { ms: NOON };
    const limited = await engine.open({ idempotencyBudgetBytes: 3_000_000, now: () => clock.ms });
    const body = Buffer.alloc(1_000_000, 'answer');
    let keys = 0;
    const storedAs = async (organizationId: string, size = body.length): Promise<string> => {
      const input = {
        organizationId,
        keyId: `key_${organizationId}`,
        key: `budget ${keys++}`,
        fingerprint: 'f',
        leaseMs: LEASE_MS,
        nowMs: clock.ms,
      };
      const begun = await limited.idempotency.begin(input);
      assert.equal(begun.state, 'started');
      if (begun.state === 'started')
        assert.ok(await begun.lease.finish({ status: 200, headers: {}, body: body.subarray(0, size) }));
      return (await limited.idempotency.begin(input)).state;
    };
    assert.deepEqual(
      [await storedAs('org_a'), await storedAs('org_a'), await storedAs('org_a')],
      ['done', 'done', 'not_replayable'],
    );
    assert.equal(await storedAs('org_b'), 'done', 'another organization has its own');
    assert.equal(await storedAs('org_a', 1_000), 'done', 'a response that still fits is stored');
    clock.ms += 23 * 3_600_000;
    assert.equal(await storedAs('org_a'), 'not_replayable');
    clock.ms += 3_600_000;
    assert.equal(await storedAs('org_a'), 'done');
    const race = await Promise.all(Array.from({ length: 20 }, () => storedAs('org_race')));
    assert.ok(race.filter((state) => state === 'done').length <= 2, race.join());
    await limited.idempotency.prune(clock.ms);
    assert.equal(await storedAs('org_a'), 'done', 'responses of the last 24 hours still count after pruning');
    assert.equal(await storedAs('org_a'), 'not_replayable');
  });

  test('an abandoned key is free immediately', async () => {
    const lease = await start('abandoned');
    assert.equal((await begin('abandoned', { fingerprint: 'other' })).state, 'mismatch');
    await lease.abandon();
    await start('abandoned', { fingerprint: 'other' });
  });

  test('an expired lease goes to one other request, and its first holder can store nothing more', async () => {
    const first = await start('lost');
    assert.equal((await begin('lost', { nowMs: NOON + LEASE_MS - 1 })).state, 'running');
    const others = await Promise.all(
      Array.from({ length: 20 }, () => begin('lost', { nowMs: NOON + LEASE_MS })),
    );
    const second = others.filter(({ state }) => state === 'started') as { lease: IdempotencyLease }[];
    assert.equal(second.length, 1);
    const answer = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text) });
    assert.equal(await first.finish(answer('first')), false);
    await first.abandon();
    assert.equal(await second[0]?.lease.finish(answer('second')), true);
    const done = await begin('lost', { nowMs: NOON + LEASE_MS });
    assert.ok(done.state === 'done' && done.response.body.toString() === 'second');
  });

  test('a lease renews automatically while its process lives', async () => {
    const clock = { ms: NOON };
    const living = await engine.open({ now: () => clock.ms });
    const started = await living.idempotency.begin({
      organizationId: 'org_1',
      keyId: 'key_1',
      key: 'long',
      fingerprint: 'f',
      leaseMs: 30,
      nowMs: NOON,
    });
    assert.equal(started.state, 'started');
    clock.ms += 1_000;
    const deadline = performance.now() + 60_000;
    for (;;) {
      const seen = await begin('long', { nowMs: NOON });
      if (seen.state === 'running' && seen.leaseEndsAtMs === NOON + 1_030) break;
      assert.ok(performance.now() < deadline, 'the lease was not renewed');
      await nextTurn();
    }
    if (started.state === 'started') await started.lease.abandon();
  });

  test('responses are deleted after 24 hours', async () => {
    const lease = await start('old');
    await lease.finish({ status: 200, headers: {}, body: Buffer.from('old') });
    assert.equal((await begin('old', { nowMs: NOON + DAY_MS - 1 })).state, 'done');
    const fresh = await start('old', { nowMs: NOON + DAY_MS, fingerprint: 'new' });
    await fresh.finish({ status: 200, headers: {}, body: Buffer.alloc(0) });
    assert.equal((await storage.idempotency.prune(NOON + DAY_MS)) > 0, true);
    const done = await begin('old', { nowMs: NOON + DAY_MS, fingerprint: 'new' });
    assert.ok(done.state === 'done' && done.response.body.length === 0);
  });
});
