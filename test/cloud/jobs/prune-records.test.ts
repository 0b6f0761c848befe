import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pruneRecords } from '../../../apps/cloud/src/jobs/prune-records.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway } from '../../support/gateway.ts';

test('deletes idempotency records once they are a day old, and not before', async () => {
  const clock = createManualClock();
  const gateway = await startGateway({ clock });
  const { idempotency } = gateway.storage;
  const begin = () =>
    idempotency.begin({
      organizationId: 'org_1',
      keyId: 'key_1',
      key: 'k',
      fingerprint: 'f',
      leaseMs: 60_000,
      nowMs: clock.now(),
    });
  const started = await begin();
  assert.ok(started.state === 'started');
  await started.lease.finish({ status: 200, headers: {}, body: Buffer.from('{}') });

  const failures: unknown[] = [];
  const log = { error: (fields: object) => void failures.push(fields) };
  clock.advance(24 * 3_600_000 - 1);
  await pruneRecords({ storage: gateway.storage, clock, log, auditAddressDays: 90 });
  assert.equal((await begin()).state, 'done');
  clock.advance(1);
  await pruneRecords({ storage: gateway.storage, clock, log, auditAddressDays: 90 });
  assert.equal((await begin()).state, 'started');
  assert.deepEqual(failures, []);
  await gateway.close();
});

test('deletes ended sessions, expired links, browsers that were not seen again, and old emails', async (t) => {
  const clock = createManualClock();
  const gateway = await startGateway({ clock });
  t.after(() => gateway.close());
  const { storage, account } = gateway;
  const DAY = 24 * 3_600_000;
  const userId = account.accountId;
  const scope = { organizationId: account.organizationId, withAccounts: true };
  await storage.sessions.create({
    userId,
    organizationId: null,
    address: '192.0.2.1',
    userAgent: '',
    expiresAtMs: clock.now() + 7 * DAY,
  });
  const link = await storage.accountLinks.create({
    purpose: 'verify_email',
    userId,
    expiresAtMs: clock.now() + DAY,
  });
  const known = await storage.knownBrowsers.remember(userId, clock.now() + 180 * DAY);
  await storage.emails.add({
    organizationId: account.organizationId,
    kind: 'invitation',
    to: 'ada@example.com',
    subject: 'x',
    text: 'x',
  });
  const kept = async () => [
    (await storage.sessions.list(userId)).length,
    (await storage.emails.list(scope, { limit: 5 })).length,
    await storage.knownBrowsers.isKnown(userId, known, 0),
  ];
  const failures: unknown[] = [];
  const log = { error: (fields: object) => void failures.push(fields) };
  /** Prunes this much later, and checks what is left. */
  const holdAfter = async (ms: number, expected: readonly unknown[]) => {
    clock.advance(ms);
    await pruneRecords({ storage, clock, log, auditAddressDays: 90 });
    assert.deepEqual(await kept(), expected);
  };
  await holdAfter(8 * 3_600_000 - 1, [1, 1, true]);
  await holdAfter(1, [0, 1, true]);
  await holdAfter(30 * DAY, [0, 0, true]);
  assert.equal(await storage.accountLinks.spend('verify_email', link, 0), null);
  await holdAfter(180 * DAY, [0, 0, false]);
  assert.deepEqual(failures, []);
});

test('deletes addresses of clients beside the audit log after the days that are set, and no row', async (t) => {
  const clock = createManualClock();
  const gateway = await startGateway({ clock });
  t.after(() => gateway.close());
  const { audit } = gateway.storage;
  const { organizationId } = gateway.account;
  const DAY = 24 * 3_600_000;
  const act = (subject: string) =>
    audit.from('192.0.2.1', () =>
      audit.append({ organizationId, kind: 'key_created', actor: 'usr_ada', subject, data: {} }),
    );
  const pruned = async () => {
    const log = { error: (fields: object) => assert.fail(JSON.stringify(fields)) };
    await pruneRecords({ storage: gateway.storage, clock, log, auditAddressDays: 30 });
    const { rows } = await audit.page(organizationId, { actor: 'usr_ada' });
    return rows.map(({ subject, address }) => [subject, address]);
  };
  await act('first');
  clock.advance(DAY);
  await act('second');
  clock.advance(29 * DAY);
  assert.deepEqual(await pruned(), [
    ['second', '192.0.2.1'],
    ['first', '192.0.2.1'],
  ]);
  clock.advance(1);
  assert.deepEqual(await pruned(), [
    ['second', '192.0.2.1'],
    ['first', null],
  ]);
  assert.equal((await audit.verify(organizationId)).valid, true);
});
