import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ownEndpointId } from '@csg/shared/contract';
import type { ClaimedDelivery, NewDelivery, Storage } from '../../apps/cloud/src/storage/storage.ts';
import { createManualClock } from '../support/clock.ts';
import { connect } from './storage-audit-tables.ts';
import { assertEmpty, createTestEnv, makeRecord, onEveryEngine, type TestEnv } from './storage-engines.ts';

const LEASE_MS = 30_000;

onEveryEngine('Webhook deliveries', (engine) => {
  const clock = createManualClock();
  let one: Storage;
  let other: Storage;
  before(async () => {
    [one, other] = [await engine.open({ now: clock.now }), await engine.open({ now: clock.now })];
  });

  const delivery = (projectId: string, eventId = 'evt_1'): NewDelivery => ({
    endpointId: ownEndpointId('webhook', projectId),
    projectId,
    event: 'threat.blocked',
    eventId,
    payload: `{"id":"${eventId}"}`,
  });
  const claim = (storage: Storage, input: { limit?: number; perReceiver?: number; busy?: string[] } = {}) =>
    storage.deliveries.claim({
      limit: input.limit ?? 100,
      perEndpoint: input.perReceiver ?? 100,
      busy: new Map((input.busy ?? []).map((name) => [name, 1])),
      leaseMs: LEASE_MS,
    });
  const settle = (storage: Storage, claimed: ClaimedDelivery, status: 'pending' | 'delivered' | 'failed') =>
    storage.deliveries.settle(claimed, {
      status,
      failures: status === 'delivered' ? 0 : claimed.failures + 1,
      responseStatus: status === 'delivered' ? 200 : 500,
      lastError: status === 'delivered' ? null : 'The endpoint responded with 500.',
      dueAtMs: clock.now() + 30_000,
      isAttempt: true,
    });
  /** Changes the database directly, as an attacker might. */
  const moveSecret = async (from: string, to: string): Promise<void> => {
    const tables = await connect(engine.options());
    const secret = `SELECT sealed_secret FROM endpoints WHERE id = '${from}'`;
    await tables.run(`UPDATE endpoints SET sealed_secret = (${secret}) WHERE id = '${to}'`);
    await tables.close();
  };
  /** Claims everything that is due. */
  const drain = async (): Promise<void> => {
    for (const claimed of await claim(one)) await settle(one, claimed, 'delivered');
  };

  test('the deliveries of a decision are written with it, once for each event id', async () => {
    const testEnv = await createTestEnv(one);
    const record = {
      ...makeRecord(testEnv.organizationId, { decision: 'block' }),
      notices: [delivery(testEnv.projectId)],
    };
    await Promise.all([one.decisions.record(record), other.decisions.record(record)]);
    await one.decisions.record(record);
    const listed = await one.deliveries.list(testEnv.organizationId);
    assert.equal(listed.length, 1);
    assert.deepEqual(
      { ...listed[0], id: '' },
      {
        id: '',
        organizationId: testEnv.organizationId,
        projectId: testEnv.projectId,
        endpointId: ownEndpointId('webhook', testEnv.projectId),
        kind: 'webhook',
        event: 'threat.blocked',
        eventId: 'evt_1',
        payload: '{"id":"evt_1"}',
        isTest: false,
        status: 'pending',
        attempts: 0,
        failures: 0,
        responseStatus: null,
        lastError: null,
        dueAtMs: clock.now(),
        lastAttemptAtMs: null,
        createdAtMs: clock.now(),
      },
    );
    await drain();
  });

  test('each is claimed by one of the concurrent callers', async () => {
    const testEnv = await createTestEnv(one);
    const many = Array.from({ length: 120 }, (_, n) => delivery(testEnv.projectId, `evt_${n}`));
    await one.deliveries.enqueue(testEnv.organizationId, many);
    const rounds = await Promise.all([claim(one), claim(other), claim(one), claim(other)]);
    const rest = await claim(other);
    const ids = [...rounds.flat(), ...rest].map(({ id }) => id);
    assert.equal(ids.length, 120);
    assert.equal(new Set(ids).size, 120);
    for (const claimed of [...rounds.flat(), ...rest]) assert.ok(await settle(one, claimed, 'delivered'));
    assert.equal((await claim(one)).length, 0);
  });

  test('an abandoned one is claimed again, and the late caller writes nothing', async () => {
    const testEnv = await createTestEnv(one);
    await one.deliveries.enqueue(testEnv.organizationId, [delivery(testEnv.projectId)]);
    const [first] = await claim(one);
    assert.equal((await claim(other)).length, 0);
    clock.advance(LEASE_MS);
    const [second] = await claim(other);
    assert.equal(second?.id, first?.id);
    assert.equal(await settle(one, first!, 'failed'), false);
    assert.equal(await settle(other, second!, 'delivered'), true);
    const found = await one.deliveries.get(testEnv.organizationId, second!.id);
    assert.deepEqual([found?.status, found?.attempts, found?.responseStatus], ['delivered', 1, 200]);
  });

  test('of a long backlog 1,000 deliveries are counted', async () => {
    const { organizationId, projectId } = await createTestEnv(one);
    const { id } = await one.endpoints.put(organizationId, 'webhook', projectId, {
      ...{ url: 'https://a.example', isEnabled: true },
    });
    await one.endpoints.pause(organizationId, id, true);
    const oldestMs = clock.now();
    await one.deliveries.enqueue(organizationId, [delivery(projectId)]);
    clock.advance(1);
    const later = Array.from({ length: 1_003 }, (_, n) => delivery(projectId, `evt_later_${n}`));
    await one.deliveries.enqueue(organizationId, later);
    assert.deepEqual(await one.deliveries.listBacklogs(organizationId, [id, 'whk_none']), [
      { endpointId: id, count: 1_000, oldestMs },
    ]);
  });

  test('an endpoint with a backlog gets only its share', async () => {
    const [dead, well] = [await createTestEnv(one), await createTestEnv(one)];
    const backlog = Array.from({ length: 150 }, (_, n) => delivery(dead.projectId, `evt_${n}`));
    await one.deliveries.enqueue(dead.organizationId, backlog);
    clock.advance(1);
    await one.deliveries.enqueue(well.organizationId, [delivery(well.projectId)]);
    const first = await claim(one, { perReceiver: 4 });
    const count = (testEnv: TestEnv) =>
      first.filter(({ projectId }) => projectId === testEnv.projectId).length;
    assert.deepEqual([count(dead), count(well)], [4, 1]);
    const second = await claim(one, { perReceiver: 1, busy: [ownEndpointId('webhook', dead.projectId)] });
    assert.deepEqual(second, []);
    assert.equal((await claim(other, { limit: 3 })).length, 3);
    clock.advance(LEASE_MS);
    while ((await one.deliveries.list(dead.organizationId, { status: 'pending', limit: 1 })).length > 0)
      await drain();
  });

  test('a failed one is retried when due, or manually with a new series of attempts', async () => {
    const testEnv = await createTestEnv(one);
    await one.deliveries.enqueue(testEnv.organizationId, [delivery(testEnv.projectId)]);
    const [claimed] = await claim(one);
    await settle(one, claimed!, 'pending');
    clock.advance(29_999);
    assert.equal((await claim(one)).length, 0);
    clock.advance(1);
    const [again] = await claim(one);
    assert.deepEqual([again?.id, again?.attempts, again?.failures], [claimed?.id, 1, 1]);
    assert.equal(await one.deliveries.retry(testEnv.organizationId, again!.id), null, 'it has not failed');
    await settle(one, again!, 'failed');
    assert.equal(await one.deliveries.retry('org_other', again!.id), null);
    const retried = await one.deliveries.retry(testEnv.organizationId, again!.id);
    assert.deepEqual([retried?.status, retried?.failures, retried?.attempts], ['pending', 0, 2]);
    assert.equal(retried?.lastError, 'The endpoint responded with 500.');
    assert.equal((await one.deliveries.claimOne(testEnv.organizationId, again!.id, LEASE_MS))?.id, again?.id);
    assert.equal(await other.deliveries.claimOne(testEnv.organizationId, again!.id, LEASE_MS), null);
    clock.advance(LEASE_MS);
    await drain();
  });

  test("it uses the project's current URL and the currently valid secrets", async () => {
    const testEnv = await createTestEnv(one);
    const { organizationId, projectId } = testEnv;
    await one.deliveries.enqueue(organizationId, [delivery(projectId), delivery('proj_gone')]);
    const target = async () => {
      const claimed = await claim(one);
      clock.advance(LEASE_MS);
      return new Map(claimed.map((each) => [each.projectId, each.target]));
    };
    const off = { url: null, isEnabled: false, secrets: [] };
    assert.deepEqual(
      await target(),
      new Map([
        [projectId, off],
        ['proj_gone', off],
      ]),
    );
    const { endpoints } = one;
    const put = (org: string, project: string) =>
      endpoints.put(org, 'webhook', project, { url: 'https://hooks.example.com/x', isEnabled: true });
    const { id, secretAtMs } = await put(organizationId, projectId);
    assert.equal(secretAtMs, null);
    // Encrypted for another project: as if an attacker had moved it there.
    const thief = await createTestEnv(one);
    const { id: theirs } = await put(thief.organizationId, thief.projectId);
    await endpoints.rotateSecret(thief.organizationId, theirs, 'theirs', null);
    await moveSecret(theirs, id);
    const moved = (await target()).get(projectId);
    assert.deepEqual(moved?.secrets, []);
    assert.match(moved?.problem ?? '', /cannot be read/);
    const rotate = (by: Storage, secret: string, untilMs: number | null) =>
      by.endpoints.rotateSecret(organizationId, id, secret, untilMs);
    await rotate(one, 'first', null);
    await rotate(other, 'second', clock.now() + LEASE_MS + 1);
    const state = await endpoints.get(organizationId, id);
    assert.equal(state?.previousUntilMs, clock.now() + LEASE_MS + 1);
    assert.deepEqual((await target()).get(projectId)?.secrets, ['second', 'first']);
    clock.advance(1);
    assert.deepEqual((await target()).get(projectId), {
      url: 'https://hooks.example.com/x',
      isEnabled: true,
      secrets: ['second'],
    });
    const replaced = async () =>
      (await one.masterKeys.status())[0]?.byColumn['webhook secrets of before'] ?? 0;
    assert.equal(await replaced(), 1);
    await rotate(one, 'third', null);
    assert.equal(await replaced(), 0, 'one that was replaced at once is not kept');
    assert.equal(await endpoints.get('org_other', id), null);
    assert.equal(await endpoints.removeSecret('org_other', id), false);
    assert.equal(await endpoints.removeSecret(organizationId, id), true);
    assert.equal(await endpoints.removeSecret(organizationId, id), false);
    assert.deepEqual((await target()).get(projectId)?.secrets, []);
    clock.advance(LEASE_MS);
    await drain();
  });

  test('events of the organization go to its audit target', async () => {
    const { organizationId } = await createTestEnv(one);
    const { endpoints } = one;
    const put = (url: string) => endpoints.put(organizationId, 'audit', null, { url, isEnabled: true });
    assert.equal(await endpoints.own(organizationId, 'audit', null), null);
    await put('https://one.example.com/');
    const { id } = await put('https://two.example.com/');
    await one.deliveries.enqueue(organizationId, [
      { ...delivery(''), projectId: null, endpointId: id, event: 'audit.checkpoint' },
    ]);
    const [claimed] = await claim(one);
    assert.deepEqual(claimed?.target, { url: 'https://two.example.com/', isEnabled: true, secrets: [] });
    assert.equal(await endpoints.remove('org_other', id), false);
    assert.equal(await endpoints.remove(organizationId, id), true);
    assert.equal(await endpoints.own(organizationId, 'audit', null), null);
    await settle(one, claimed!, 'delivered');
  });

  test('a paused endpoint keeps what is due, and each result is noted with its endpoint', async () => {
    const { organizationId, projectId } = await createTestEnv(one);
    const { endpoints } = one;
    const input = { url: 'https://a.example', isEnabled: true };
    const { id } = await endpoints.put(organizationId, 'webhook', projectId, input);
    assert.equal(await endpoints.pause(organizationId, id, true), true);
    assert.equal((await endpoints.get(organizationId, id))?.pausedAtMs, clock.now());
    await one.deliveries.enqueue(organizationId, [delivery(projectId), delivery(projectId)]);
    assert.deepEqual(await claim(one), []);
    assert.partialDeepStrictEqual(await one.deliveries.listBacklogs(organizationId, [id]), [
      { endpointId: id, count: 2, oldestMs: clock.now() },
    ]);
    assert.equal(await endpoints.pause(organizationId, id, false), true);
    const [first, second] = await claim(other);
    const health = async () => {
      const found = await endpoints.get(organizationId, id);
      return [found?.succeeded, found?.failed, found?.failures, found?.failingSinceMs, found?.lastError];
    };
    await settle(one, first!, 'pending');
    clock.advance(1);
    await settle(one, second!, 'failed');
    const [failing] = await endpoints.listFailing(organizationId, 0);
    assert.deepEqual([failing?.id, failing?.lastFailureAtMs], [id, clock.now()]);
    assert.deepEqual(await endpoints.listFailing(organizationId, clock.now() + 1), []);
    assert.deepEqual(await health(), [0, 2, 2, clock.now() - 1, 'The endpoint responded with 500.']);
    const outcome = {
      ...({ status: 'failed', failures: 1, responseStatus: null } as const),
      ...{ lastError: 'late', isAttempt: true, dueAtMs: clock.now() },
    };
    await one.deliveries.record(organizationId, { ...delivery(projectId), isTest: true }, outcome);
    assert.deepEqual(await health(), [0, 2, 2, clock.now() - 1, 'late'], 'a test is not counted');
    await one.deliveries.record(organizationId, delivery(projectId), outcome);
    assert.equal((await health())[2], 3);
    const page = await one.deliveries.list(organizationId, { endpointId: id, kinds: ['webhook'] });
    assert.deepEqual(
      [page.length, (await one.deliveries.list(organizationId, { kinds: ['policy'] })).length],
      [4, 0],
    );
    await endpoints.addCalls([{ endpointId: id, succeeded: 7, lastSuccessAtMs: clock.now() }]);
    assert.deepEqual(await health(), [7, 3, 0, null, null]);
    assert.ok((await endpoints.listOrganizations('webhook')).includes(organizationId));
    clock.advance(30_000);
    await drain();
  });

  test('pages go back in time without gaps; old finished deliveries are deleted', async () => {
    const { organizationId, projectId } = await createTestEnv(one);
    for (let n = 0; n < 7; n++) {
      if (n % 2 === 0) clock.advance(1);
      await one.deliveries.enqueue(organizationId, [delivery(projectId, `evt_${n}`)]);
    }
    const seen: string[] = [];
    let cursor: { createdAtMs: number; id: string } | undefined;
    for (let page = 0; page < 4; page++) {
      const query = { projectId, limit: 2, ...(cursor === undefined ? {} : { before: cursor }) };
      const rows = await one.deliveries.list(organizationId, query);
      seen.push(...rows.map(({ id }) => id));
      cursor = rows.at(-1);
    }
    assert.equal(new Set(seen).size, 7);
    assert.equal((await one.deliveries.list(organizationId, { event: 'usage.overage' })).length, 0);
    assert.equal((await one.deliveries.list('org_other')).length, 0);
    const [kept] = await claim(one, { limit: 1 });
    await settle(one, kept!, 'pending');
    clock.advance(1);
    await drain();
    assert.ok((await one.deliveries.prune(clock.now())) >= 6);
    const left = await one.deliveries.list(organizationId);
    assert.deepEqual(
      left.map(({ id, status }) => [id, status]),
      [[kept?.id, 'pending']],
      'pending deliveries are not old',
    );
  });

  test('missing ids return null or do nothing: deliveries, endpoints, secrets, notifications', async () => {
    await drain();
    const { deliveries, endpoints, notifications } = one;
    await assertEmpty({
      none: deliveries.enqueue('org_none', []),
      claimed: claim(one),
      'one claimed': deliveries.claimOne('org_none', 'dlv_none', LEASE_MS),
      delivery: deliveries.get('org_none', 'dlv_none'),
      retried: deliveries.retry('org_none', 'dlv_none'),
      attempts: deliveries.listAttempts('org_none', 'dlv_none'),
      backlogs: deliveries.listBacklogs('org_none', ['whk_none']),
      secrets: endpoints.signingSecrets('whk_none'),
      'secret removed': endpoints.removeSecret('org_none', 'whk_none'),
      own: endpoints.own('org_none', 'audit', null),
      endpoint: endpoints.get('org_none', 'whk_none'),
      endpoints: endpoints.list('org_none'),
      changed: endpoints.update('org_none', 'webhook', 'whk_none', { isEnabled: true }),
      rotated: endpoints.rotateSecret('org_none', 'whk_none', 'secret', null),
      removed: endpoints.remove('org_none', 'whk_none'),
      paused: endpoints.pause('org_none', 'whk_none', true),
      failing: endpoints.listFailing('org_none', 0),
      'no calls': endpoints.addCalls([]),
      'no notification': notifications.enqueue('org_none', []),
      'none due': notifications.takeDue(10),
      'no marks': notifications.removeMarks('org_none', []),
    });
  });

  test('an unsigned webhook has no previous secret that stays valid', async () => {
    const { organizationId, projectId } = await createTestEnv(one);
    const input = { url: 'https://a.example', isEnabled: true, events: null, secret: null };
    const { id } = await one.endpoints.insert(organizationId, 'webhook', { ...input, projectId });
    const untilMs = clock.now() + 1_000;
    const rotate = (secret: string) => one.endpoints.rotateSecret(organizationId, id, secret, untilMs);
    assert.equal(await rotate('first'), null);
    assert.equal(await rotate('second'), untilMs);
  });
});
