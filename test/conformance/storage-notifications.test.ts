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
    storage.endpoints.insert(testEnv.organizationId, 'notification', {
      ...{ form: 'webhook', url: 'https://hooks.example.com/secret-path', events: null },
      ...{ isEnabled: true, digest: null, quietHours: null, secret: null },
      ...change,
    });
  const enqueue = (...due: readonly (readonly [text: string, dueAtMs: number])[]) =>
    storage.notifications.enqueue(
      testEnv.organizationId,
      due.map(([text, dueAtMs]) => ({
        ...{ endpointId: targetId, event: 'request.waiting' as const, text, data: { n: 1 }, dueAtMs },
      })),
    );
  const take = async (limit = 10) => await storage.notifications.takeDue(limit);
  const texts = async (limit?: number) => (await take(limit)).map(({ text }) => text);
  const drain = async () => {
    nowMs = NOON + 1_000_000;
    await take(1_000);
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
      [made.url, made.form, made.digest, made.events, made.quietHours],
      ['https://hooks.example.com/secret-path', 'webhook', 'daily', input.events, input.quietHours],
    );
    const { endpoints } = storage;
    const { organizationId } = testEnv;
    assert.deepEqual(await endpoints.signingSecrets(made.id), ['whsec_1']);
    assert.deepEqual(await endpoints.get(organizationId, made.id), made);
    assert.equal(await endpoints.get('org_none', made.id), null);
    const ids = async (id: string) =>
      (await endpoints.list(id, { kind: 'notification' })).map((one) => one.id);
    assert.deepEqual(await ids(organizationId), [targetId, made.id]);
    assert.deepEqual(await ids('org_none'), []);
    assert.ok((await endpoints.listOrganizations('notification')).includes(organizationId));
    assert.equal(await endpoints.remove('org_none', made.id), false);
    assert.equal(await endpoints.remove(organizationId, made.id), true);
    assert.equal(await endpoints.remove(organizationId, made.id), false);
  });

  test('due messages are taken once, the longest due first', async () => {
    await drain();
    await enqueue(['second', NOON], ['first', NOON - 1], ['later', NOON + 1]);
    assert.deepEqual(await texts(1), ['first']);
    const [second, ...others] = await take();
    assert.deepEqual(
      [second?.text, second?.endpointId, second?.data, others],
      ['second', targetId, { n: 1 }, []],
    );
    assert.equal(second?.organizationId, testEnv.organizationId);
    nowMs = NOON + 1;
    const both = await Promise.all([texts(), texts()]);
    assert.deepEqual(both.flat(), ['later'], 'by one of two callers');
    assert.deepEqual(await texts(), []);
  });

  test('messages that are taken together are ordered by when they were made', async () => {
    await drain();
    await enqueue(['old', NOON]);
    nowMs += 1;
    await enqueue(['new', NOON - 5]);
    assert.deepEqual(await texts(), ['old', 'new']);
  });

  test('messages go with their target', async () => {
    await drain();
    await enqueue(['gone', NOON]);
    await storage.endpoints.remove(testEnv.organizationId, targetId);
    assert.deepEqual(await texts(), []);
  });

  test('what is empty asks for nothing, and nothing due is no message', async () => {
    await drain();
    const { notifications, policies, deliveries, endpoints, requests, events, organizations } = storage;
    const { organizationId, projectId } = testEnv;
    assert.deepEqual(await take(), []);
    await notifications.enqueue(organizationId, []);
    await notifications.removeMarks(organizationId, []);
    assert.deepEqual(await endpoints.listFailing(organizationId, 0), []);
    assert.deepEqual(await policies.insertMany(organizationId, projectId, []), []);
    assert.deepEqual(await deliveries.enqueue(organizationId, []), []);
    assert.equal(await requests.findOpen(organizationId, 'tool_review', []), null);
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
});
