import assert from 'node:assert/strict';
import { before, test } from 'node:test';
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

  const delivery = (projectId: string | null, eventId = 'evt_1'): NewDelivery => ({
    projectId,
    event: 'threat.blocked',
    eventId,
    payload: `{"id":"${eventId}"}`,
  });
  const claim = (storage: Storage, input: { limit?: number; perReceiver?: number; busy?: string[] } = {}) =>
    storage.webhooks.claim({
      limit: input.limit ?? 100,
      perEndpoint: input.perReceiver ?? 100,
      busy: new Map((input.busy ?? []).map((name) => [name, 1])),
      leaseMs: LEASE_MS,
    });
  const settle = (storage: Storage, claimed: ClaimedDelivery, status: 'pending' | 'delivered' | 'failed') =>
    storage.webhooks.settle(claimed, {
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
    await tables.run(`UPDATE webhook_secrets SET project_id = '${to}' WHERE project_id = '${from}'`);
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
    const listed = await one.webhooks.list(testEnv.organizationId);
    assert.equal(listed.length, 1);
    assert.deepEqual(
      { ...listed[0], id: '' },
      {
        id: '',
        organizationId: testEnv.organizationId,
        projectId: testEnv.projectId,
        webhookId: null,
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
    await one.webhooks.enqueue(testEnv.organizationId, many);
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
    await one.webhooks.enqueue(testEnv.organizationId, [delivery(testEnv.projectId)]);
    const [first] = await claim(one);
    assert.equal((await claim(other)).length, 0);
    clock.advance(LEASE_MS);
    const [second] = await claim(other);
    assert.equal(second?.id, first?.id);
    assert.equal(await settle(one, first!, 'failed'), false);
    assert.equal(await settle(other, second!, 'delivered'), true);
    const found = await one.webhooks.get(testEnv.organizationId, second!.id);
    assert.deepEqual([found?.status, found?.attempts, found?.responseStatus], ['delivered', 1, 200]);
  });

  test('an endpoint with a backlog gets only its share', async () => {
    const [dead, well] = [await createTestEnv(one), await createTestEnv(one)];
    const backlog = Array.from({ length: 150 }, (_, n) => delivery(dead.projectId, `evt_${n}`));
    await one.webhooks.enqueue(dead.organizationId, backlog);
    clock.advance(1);
    await one.webhooks.enqueue(well.organizationId, [delivery(well.projectId)]);
    const first = await claim(one, { perReceiver: 4 });
    const count = (testEnv: TestEnv) =>
      first.filter(({ projectId }) => projectId === testEnv.projectId).length;
    assert.deepEqual([count(dead), count(well)], [4, 1]);
    const second = await claim(one, { perReceiver: 1, busy: [dead.projectId] });
    assert.deepEqual(second, []);
    assert.equal((await claim(other, { limit: 3 })).length, 3);
    clock.advance(LEASE_MS);
    while ((await one.webhooks.list(dead.organizationId, { status: 'pending', limit: 1 })).length > 0)
      await drain();
  });

  test('a failed one is retried when due, or manually with a new series of attempts', async () => {
    const testEnv = await createTestEnv(one);
    await one.webhooks.enqueue(testEnv.organizationId, [delivery(testEnv.projectId)]);
    const [claimed] = await claim(one);
    await settle(one, claimed!, 'pending');
    clock.advance(29_999);
    assert.equal((await claim(one)).length, 0);
    clock.advance(1);
    const [again] = await claim(one);
    assert.deepEqual([again?.id, again?.attempts, again?.failures], [claimed?.id, 1, 1]);
    assert.equal(await one.webhooks.retry(testEnv.organizationId, again!.id), null, 'it has not failed');
    await settle(one, again!, 'failed');
    assert.equal(await one.webhooks.retry('org_other', again!.id), null);
    const retried = await one.webhooks.retry(testEnv.organizationId, again!.id);
    assert.deepEqual([retried?.status, retried?.failures, retried?.attempts], ['pending', 0, 2]);
    assert.equal(retried?.lastError, 'The endpoint responded with 500.');
    assert.equal((await one.webhooks.claimOne(testEnv.organizationId, again!.id, LEASE_MS))?.id, again?.id);
    assert.equal(await other.webhooks.claimOne(testEnv.organizationId, again!.id, LEASE_MS), null);
    clock.advance(LEASE_MS);
    await drain();
  });

  test("it uses the project's current URL and the currently valid secrets", async () => {
    const testEnv = await createTestEnv(one);
    const { organizationId, projectId } = testEnv;
    await one.webhooks.enqueue(organizationId, [delivery(projectId), delivery('proj_gone')]);
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
    await one.projects.update(organizationId, projectId, {
      webhookUrl: 'https://hooks.example.com/x',
      webhookEnabled: true,
    });
    assert.equal(await one.webhooks.getSecret(organizationId, projectId), null);
    // Encrypted for another project: as if an attacker had moved it there.
    const thief = await createTestEnv(one);
    await one.webhooks.putSecret(thief.projectId, 'theirs', null);
    await moveSecret(thief.projectId, projectId);
    const moved = (await target()).get(projectId);
    assert.deepEqual(moved?.secrets, []);
    assert.match(moved?.problem ?? '', /cannot be read/);
    await one.webhooks.putSecret(projectId, 'first', null);
    await other.webhooks.putSecret(projectId, 'second', clock.now() + LEASE_MS + 1);
    const state = await one.webhooks.getSecret(organizationId, projectId);
    assert.equal(state?.previousUntilMs, clock.now() + LEASE_MS + 1);
    assert.deepEqual((await target()).get(projectId)?.secrets, ['second', 'first']);
    clock.advance(1);
    assert.deepEqual((await target()).get(projectId), {
      url: 'https://hooks.example.com/x',
      isEnabled: true,
      secrets: ['second'],
    });
    assert.equal(await one.webhooks.getSecret('org_other', projectId), null);
    assert.equal(await one.webhooks.removeSecret('org_other', projectId), false);
    assert.equal(await one.webhooks.removeSecret(organizationId, projectId), true);
    assert.deepEqual((await target()).get(projectId)?.secrets, []);
    clock.advance(LEASE_MS);
    await drain();
  });

  test('events of the organization go to its audit target', async () => {
    const { organizationId } = await createTestEnv(one);
    assert.equal(await one.webhooks.getAuditTarget(organizationId), null);
    await one.webhooks.setAuditTarget(organizationId, 'https://one.example.com/');
    await one.webhooks.setAuditTarget(organizationId, 'https://two.example.com/');
    await one.webhooks.enqueue(organizationId, [{ ...delivery(null), event: 'audit.checkpoint' }]);
    const [claimed] = await claim(one);
    assert.deepEqual(claimed?.target, { url: 'https://two.example.com/', isEnabled: true, secrets: [] });
    await one.webhooks.setAuditTarget(organizationId, null);
    assert.equal(await one.webhooks.getAuditTarget(organizationId), null);
    await settle(one, claimed!, 'delivered');
  });

  test('pages go back in time without gaps; old finished deliveries are deleted', async () => {
    const { organizationId, projectId } = await createTestEnv(one);
    for (let n = 0; n < 7; n++) {
      if (n % 2 === 0) clock.advance(1);
      await one.webhooks.enqueue(organizationId, [delivery(projectId, `evt_${n}`)]);
    }
    const seen: string[] = [];
    let cursor: { createdAtMs: number; id: string } | undefined;
    for (let page = 0; page < 4; page++) {
      const query = { projectId, limit: 2, ...(cursor === undefined ? {} : { before: cursor }) };
      const rows = await one.webhooks.list(organizationId, query);
      seen.push(...rows.map(({ id }) => id));
      cursor = rows.at(-1);
    }
    assert.equal(new Set(seen).size, 7);
    assert.equal((await one.webhooks.list(organizationId, { event: 'usage.overage' })).length, 0);
    assert.equal((await one.webhooks.list('org_other')).length, 0);
    const [kept] = await claim(one, { limit: 1 });
    await settle(one, kept!, 'pending');
    clock.advance(1);
    await drain();
    assert.ok((await one.webhooks.prune(clock.now())) >= 6);
    const left = await one.webhooks.list(organizationId);
    assert.deepEqual(
      left.map(({ id, status }) => [id, status]),
      [[kept?.id, 'pending']],
      'pending deliveries are not old',
    );
  });

  test('missing ids return null or do nothing: deliveries, endpoints, secrets, notifications', async () => {
    await drain();
    const { webhooks, furtherWebhooks, notifications } = one;
    await assertEmpty({
      none: webhooks.enqueue('org_none', []),
      claimed: claim(one),
      'one claimed': webhooks.claimOne('org_none', 'dlv_none', LEASE_MS),
      delivery: webhooks.get('org_none', 'dlv_none'),
      retried: webhooks.retry('org_none', 'dlv_none'),
      attempts: webhooks.listAttempts('org_none', 'dlv_none'),
      paused: webhooks.listPaused('org_none'),
      backlogs: webhooks.listBacklogs('org_none', 'proj_none'),
      secrets: webhooks.signingSecrets('proj_none'),
      secret: webhooks.getSecret('org_none', 'proj_none'),
      'secret removed': webhooks.removeSecret('org_none', 'proj_none'),
      'audit target': webhooks.getAuditTarget('org_none'),
      'no audit target': webhooks.setAuditTarget('org_none', null),
      webhooks: furtherWebhooks.list('org_none', 'proj_none'),
      changed: furtherWebhooks.update('org_none', 'proj_none', 'whk_none', { isEnabled: true }),
      rotated: furtherWebhooks.rotateSecret('org_none', 'proj_none', 'whk_none', 'secret', null),
      removed: furtherWebhooks.remove('org_none', 'proj_none', 'whk_none'),
      target: notifications.getTarget('ntf_none'),
      targets: notifications.listTargets('org_none'),
      'target removed': notifications.removeTarget('org_none', 'ntf_none'),
      'no notification': notifications.enqueue([]),
      'none due': notifications.claim(10, LEASE_MS),
      'none sent': notifications.remove([]),
      'none postponed': notifications.postpone([], clock.now()),
      'no marks': notifications.removeMarks('org_none', []),
      failing: notifications.listFailingEndpoints('org_none', 0),
    });
  });

  test('an unsigned webhook has no previous secret that stays valid', async () => {
    const { organizationId, projectId } = await createTestEnv(one);
    const input = { url: 'https://a.example', isEnabled: true, events: null, secret: null };
    const { id } = await one.furtherWebhooks.insert(organizationId, projectId, input);
    const untilMs = clock.now() + 1_000;
    const rotate = (secret: string) =>
      one.furtherWebhooks.rotateSecret(organizationId, projectId, id, secret, untilMs);
    assert.equal(await rotate('first'), null);
    assert.equal(await rotate('second'), untilMs);
  });

  test('a notification is due at its time, is claimed again after its lease, and is marked once', async () => {
    const { organizationId } = await createTestEnv(one);
    const { notifications } = one;
    const target = await notifications.insertTarget(organizationId, {
      ...{ kind: 'webhook', address: 'https://a.example', events: null, digest: null },
      ...{ quietHours: null, secret: 'shared' },
    });
    assert.deepEqual(await notifications.listTargets(organizationId), [target]);
    assert.deepEqual([target.address, target.secret], ['https://a.example', 'shared']);
    await notifications.noteResult(target.id, 'x'.repeat(600));
    assert.equal((await notifications.getTarget(target.id))?.lastError?.length, 500);
    await notifications.noteResult(target.id, null);
    assert.partialDeepStrictEqual(await notifications.getTarget(target.id), {
      ...{ lastError: null, lastSentAtMs: clock.now() },
    });
    const content = { targetId: target.id, event: 'device.silent', text: 'News.', data: { a: 1 } } as const;
    await notifications.enqueue([{ ...content, dueAtMs: clock.now() + 1_000 }]);
    const due = () => notifications.claim(10, LEASE_MS);
    assert.deepEqual(await due(), []);
    clock.advance(1_000);
    const [first] = await due();
    assert.partialDeepStrictEqual(first, { ...content, attempts: 1 });
    assert.deepEqual(await due(), [], 'it is leased');
    clock.advance(LEASE_MS);
    const again = await due();
    assert.deepEqual(
      again.map(({ id, attempts }) => [id, attempts]),
      [[first!.id, 2]],
    );
    await notifications.postpone([first!.id], clock.now() + 1);
    assert.deepEqual(await due(), []);
    clock.advance(1);
    assert.equal((await due()).length, 1);
    await notifications.remove([first!.id]);
    clock.advance(LEASE_MS);
    assert.deepEqual(await due(), []);
    assert.deepEqual(
      [
        await notifications.mark(organizationId, 'request.1'),
        await notifications.mark(organizationId, 'request.1'),
      ],
      [true, false],
    );
    assert.equal(await notifications.mark(organizationId, 'usage.1'), true);
    assert.equal(await notifications.prune(clock.now() + 1), 1);
    assert.deepEqual(await notifications.listMarks(organizationId), ['usage.1']);
    await notifications.removeMarks(organizationId, ['usage.1']);
    assert.deepEqual(await notifications.listMarks(organizationId), []);
    assert.equal(await notifications.removeTarget(organizationId, target.id), true);
  });
});
