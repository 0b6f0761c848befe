import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { createTestEnv, NOON, onEveryEngine, type TestEnv } from './storage-engines.ts';

onEveryEngine('Notifications', (engine) => {
  let storage: Storage;
  let testEnv: TestEnv;
  let targetId = '';
  let nowMs = NOON;
  before(async () => {
    storage = await engine.open({ now: () => nowMs });
  });
  beforeEach(async () => {
    nowMs = NOON;
    testEnv = await createTestEnv(storage);
    targetId = (await addTarget()).id;
  });

  const addTarget = (change: object = {}) =>
    storage.notifications.insertTarget(testEnv.organizationId, {
      ...{ kind: 'webhook', address: 'https://hooks.example.com/secret-path', events: null },
      ...{ digest: null, quietHours: null, secret: null },
      ...change,
    });
  const enqueue = (...due: readonly (readonly [text: string, dueAtMs: number])[]) =>
    storage.notifications.enqueue(
      due.map(([text, dueAtMs]) => ({
        ...{ targetId, event: 'request.waiting' as const, text, data: { n: 1 }, dueAtMs },
      })),
    );
  const claim = async (limit = 10) => await storage.notifications.claim(limit, 1_000);
  const texts = async (limit?: number) => (await claim(limit)).map(({ text }) => text);
  const drain = async () => {
    nowMs = NOON + 1_000_000;
    const rows = await claim(1_000);
    await storage.notifications.remove(rows.map(({ id }) => id));
    nowMs = NOON;
  };

  test('a target comes back as it was stored, with its secret and address, for its organization alone', async () => {
    const input = {
      ...{ events: ['usage.alert'] as never, digest: 'daily', secret: 'whsec_1' },
      quietHours: { from: '22:00', to: '06:00', time_zone: 'Europe/Berlin' },
    };
    nowMs += 1;
    const made = await addTarget(input);
    assert.deepEqual(
      [made.address, made.secret, made.digest, made.events, made.quietHours],
      ['https://hooks.example.com/secret-path', 'whsec_1', 'daily', input.events, input.quietHours],
    );
    assert.deepEqual(await storage.notifications.getTarget(made.id), made);
    assert.equal(await storage.notifications.getTarget('ntf_none'), null);
    const ids = async (id: string) => (await storage.notifications.listTargets(id)).map((one) => one.id);
    assert.deepEqual(await ids(testEnv.organizationId), [targetId, made.id]);
    assert.deepEqual(await ids('org_none'), []);
    assert.ok((await storage.notifications.listOrganizations()).includes(testEnv.organizationId));
    assert.equal(await storage.notifications.removeTarget('org_none', made.id), false);
    assert.equal(await storage.notifications.removeTarget(testEnv.organizationId, made.id), true);
    assert.equal(await storage.notifications.removeTarget(testEnv.organizationId, made.id), false);
  });

  test('a result is noted: an error is cut and keeps the time of the last success', async () => {
    const state = async () => {
      const target = await storage.notifications.getTarget(targetId);
      return [target?.lastError, target?.lastSentAtMs];
    };
    await storage.notifications.noteResult(targetId, null);
    assert.deepEqual(await state(), [null, NOON]);
    nowMs += 5;
    await storage.notifications.noteResult(targetId, 'x'.repeat(501));
    assert.deepEqual(await state(), ['x'.repeat(500), NOON]);
    await storage.notifications.noteResult(targetId, null);
    assert.deepEqual(await state(), [null, NOON + 5]);
  });

  test('due messages are leased, the longest due first, and come back when the lease has ended', async () => {
    await drain();
    await enqueue(['second', NOON], ['first', NOON - 1], ['later', NOON + 1]);
    assert.deepEqual(await texts(1), ['first']);
    const [second, ...others] = await claim();
    assert.deepEqual([second?.text, second?.attempts, second?.data, others], ['second', 1, { n: 1 }, []]);
    nowMs = NOON + 999;
    assert.deepEqual(await texts(), ['later']);
    nowMs = NOON + 1_000;
    const again = await claim();
    assert.deepEqual(again.map(({ text, attempts }) => [text, attempts]).toSorted(), [
      ['first', 2],
      ['second', 2],
    ]);
  });

  test('messages of one lease are ordered by when they were made', async () => {
    await drain();
    await enqueue(['old', NOON]);
    nowMs += 1;
    await enqueue(['new', NOON - 5]);
    assert.deepEqual(await texts(), ['old', 'new']);
  });

  test('a message is postponed or removed, and no other one', async () => {
    await drain();
    await enqueue(['a', NOON], ['b', NOON], ['c', NOON]);
    const rows = await claim();
    const idOf = (text: string) => rows.find((row) => row.text === text)!.id;
    await storage.notifications.postpone([idOf('a')], NOON + 5);
    await storage.notifications.remove([idOf('b')]);
    nowMs = NOON + 5;
    assert.deepEqual(await texts(), ['a']);
    nowMs = NOON + 1_000;
    assert.deepEqual(await texts(), ['c']);
  });

  test('what is empty asks for nothing, and nothing due is no message', async () => {
    await drain();
    const { notifications, policies, webhooks, toolReviews, events, organizations } = storage;
    const { organizationId, projectId } = testEnv;
    assert.deepEqual(await claim(), []);
    await notifications.enqueue([]);
    await notifications.remove([]);
    await notifications.postpone([], NOON);
    await notifications.removeMarks(organizationId, []);
    assert.deepEqual(await notifications.listFailingEndpoints(organizationId, 0), []);
    assert.deepEqual(await policies.insertMany(organizationId, projectId, []), []);
    assert.deepEqual(await webhooks.enqueue(organizationId, []), []);
    assert.equal(await toolReviews.findOpen(organizationId, []), null);
    assert.deepEqual(await events.find(organizationId, []), []);
    assert.deepEqual(await organizations.listExisting([]), []);
    assert.deepEqual(await storage.allowedTexts.find({ organizationId, projectId }, []), []);
    await storage.usageDetails.add([]);
    await enqueue(['kept', NOON]);
    assert.deepEqual(await texts(), ['kept']);
  });

  test('a subject is marked once in an organization, until its mark is removed or old', async () => {
    const { organizationId } = testEnv;
    const { organizationId: other } = await createTestEnv(storage);
    const { notifications } = storage;
    const marks = async (id: string) => (await notifications.listMarks(id)).toSorted();
    assert.equal(await notifications.mark(organizationId, 'request.1'), true);
    assert.equal(await notifications.mark(organizationId, 'request.1'), false);
    assert.equal(await notifications.mark(other, 'request.1'), true);
    assert.equal(await notifications.mark(organizationId, 'usage.1'), true);
    assert.equal(await notifications.mark(organizationId, 'device.1'), true);
    await notifications.removeMarks(organizationId, ['device.1', 'none']);
    assert.deepEqual(await marks(organizationId), ['request.1', 'usage.1']);
    await notifications.prune(NOON);
    assert.deepEqual(await marks(organizationId), ['request.1', 'usage.1']);
    assert.ok((await notifications.prune(NOON + 1)) >= 2);
    assert.deepEqual([await marks(organizationId), await marks(other)], [['usage.1'], []]);
  });

  test('endpoints whose last attempt failed are listed with their failures', async () => {
    const { organizationId, projectId } = testEnv;
    const { notifications, webhooks } = storage;
    const deliver = async (event: string, isDelivered: boolean, isTest = false) => {
      const [delivery] = await webhooks.enqueue(organizationId, [
        { projectId, event: event as never, eventId: null, payload: '{}', isTest },
      ]);
      const claimed = await webhooks.claimOne(organizationId, delivery!.id, 1_000);
      await webhooks.settle(claimed!, {
        ...{
          status: isDelivered ? 'delivered' : 'pending',
          failures: isDelivered ? 0 : 1,
          responseStatus: null,
        },
        ...{ lastError: isDelivered ? null : 'no luck', dueAtMs: NOON + 10_000_000, isAttempt: true },
      });
    };
    const failing = async (sinceMs = 0) => await notifications.listFailingEndpoints(organizationId, sinceMs);
    await deliver('threat.detected', false, true);
    assert.deepEqual(await failing(), [], 'a test is no failure');
    await deliver('threat.detected', false);
    nowMs += 10;
    await deliver('threat.detected', false);
    assert.deepEqual(await failing(), [{ projectId, webhookId: null, failedAttempts: 2, sinceMs: NOON }]);
    assert.deepEqual(await failing(NOON + 10), [
      { projectId, webhookId: null, failedAttempts: 1, sinceMs: NOON + 10 },
    ]);
    assert.deepEqual(await notifications.listFailingEndpoints('org_none', 0), []);
    nowMs += 10;
    await deliver('threat.detected', true);
    assert.deepEqual(await failing(), [], 'it works again');
    nowMs += 10;
    await deliver('threat.detected', false);
    assert.equal((await failing())[0]?.failedAttempts, 1);
  });
});
