import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DecidedBy, EventQuery } from '@csg/shared/contract';
import { countWithheld } from '../../../../apps/cloud/src/flows/insight/count-withheld.ts';
import { readDeciders } from '../../../../apps/cloud/src/flows/insight/read-deciders.ts';
import { readNames } from '../../../../apps/cloud/src/flows/insight/read-names.ts';
import { readEventFilter } from '../../../../apps/cloud/src/flows/insight/search-events.ts';
import { makeKey } from '../../../../apps/cloud/src/storage/key-format.ts';
import type { EventFinding } from '../../../../apps/cloud/src/storage/storage.ts';
import { makeEvent, makeRecord } from '../../../conformance/storage-engines.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

/** An organization with a person, a project, a key and a device, each of a name of its own. */
async function openNamed(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const { userId, organizationId } = await env.addPerson({ email: 'ada@people.example' });
  await storage.users.update(userId, { name: 'Ada Lovelace' });
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'Engine' });
  const addKey = async (name: string, change: { userId?: string | null; deviceId?: string } = {}) =>
    (
      await storage.keys.insert({
        ...{
          organizationId,
          projectId,
          userId: null,
          deviceId: null,
          name,
          permissions: [],
          expiresAtMs: null,
        },
        ...change,
        key: makeKey(),
      })
    ).id;
  const addDevice = async (name: string, change: object = {}) =>
    (await storage.devices.insert(organizationId, { name, platform: 'linux', ...change })).id;
  return { ...env, userId, organizationId, projectId, addKey, addDevice };
}

test('a search finds projects, keys and devices by their name, and those of people who match', async (t) => {
  const { storage, userId, organizationId, projectId, addKey, addDevice } = await openNamed(t);
  const build = await addKey('Build server');
  const own = await addKey('Laptop key', { userId });
  const consoleId = await addDevice('Console');
  const labelled = await addDevice('Pool 7', { endUserLabel: 'build.agent' });
  const theirs = await addDevice('Mobile', { userId });
  await addKey('Key of device', { userId, deviceId: theirs });
  const search = async (text: string) => {
    const found = (await readEventFilter({ storage }, organizationId, { q: text })).search!;
    return [found.text, found.projectIds, found.keyIds.toSorted(), found.deviceIds.toSorted()];
  };
  assert.deepEqual(await search(' ENGINE '), ['ENGINE', [projectId], [], []]);
  assert.deepEqual(await search('build'), ['build', [], [build], [labelled]]);
  assert.deepEqual(await search('console'), ['console', [], [], [consoleId]]);
  for (const text of ['lovelace', 'people.example']) {
    assert.deepEqual(await search(text), [text, [], [own], [theirs]]);
  }
  assert.deepEqual(await search('none'), ['none', [], [], []]);
  const sentBy = async (user_id: string) =>
    (await readEventFilter({ storage }, organizationId, { user_id })).sentBy;
  assert.deepEqual(await sentBy(userId), { keyIds: [userId, own], deviceIds: [theirs] });
  assert.deepEqual(await sentBy('usr_none'), { keyIds: ['usr_none'], deviceIds: [] });
});

test('each filter of the page is one of storage; a search of spaces is none', async (t) => {
  const { storage, organizationId } = await openNamed(t);
  const read = (query: EventQuery) => readEventFilter({ storage }, organizationId, query);
  assert.deepEqual(await read({}), {});
  assert.deepEqual(await read({ q: '  ' }), {});
  const same = {
    decision: 'block',
    direction: 'input',
    model: 'm',
    rule: 'r',
    session: 's',
    tag: 'a=b',
  } as const;
  const from = '2026-11-20T12:00:00.000Z';
  assert.deepEqual(
    await read({
      ...{ ...same, threat_type: 'pii_leak', project_id: 'p', key_id: 'k', device_id: 'd', policy_id: 'o' },
      ...{ from, to: '2026-11-20T12:00:01.000Z' },
    }),
    {
      ...{ ...same, threatType: 'pii_leak', projectId: 'p', keyId: 'k', deviceId: 'd', policyId: 'o' },
      ...{ fromMs: Date.parse(from), toMs: Date.parse(from) + 1_000 },
    },
  );
});

test('ids are shown by name: of people without one by address, of what is gone by the id', async (t) => {
  const { storage, userId, organizationId, projectId, addKey, addDevice, addPerson } = await openNamed(t);
  const nameless = await addPerson({ email: 'bob@people.example' });
  await storage.users.update(nameless.userId, { name: null });
  await storage.members.add(organizationId, nameless.userId, 'viewer');
  const [key, device] = [await addKey('Key'), await addDevice('Device')];
  const names = await readNames({ storage }, organizationId);
  assert.deepEqual([userId, nameless.userId, projectId, key, device, 'operator', 'key_gone'].map(names.of), [
    'Ada Lovelace',
    'bob@people.example',
    'Engine',
    'Key',
    'Device',
    'Operator',
    'key_gone',
  ]);
  assert.deepEqual([names.find(key), names.find('key_gone'), names.find(null)], ['Key', null, null]);
});

test('what decided an event is named as it is called now', async (t) => {
  const { storage, organizationId } = await openNamed(t);
  const [policy] = await storage.policies.insertMany(organizationId, null, [
    { name: 'Falcon', action: 'block', threatTypes: [], priority: 1 },
  ]);
  const exception = await storage.requests.insert(organizationId, 'exception', {
    ...{ projectId: null, deviceId: null, requestedBy: 'key_a', requesterUserId: null, policyId: null },
    ...{
      destinationHost: 'chat.example.com',
      subject: 'chat.example.com',
      threat: null,
      reasonCategory: null,
    },
    ...{ justification: null, requestedMinutes: 5 },
  });
  const decided = (kind: DecidedBy['kind'], id: string) => ({ decidedBy: { kind, id } });
  const expected: readonly (readonly [{ decidedBy?: DecidedBy }, string])[] = [
    [{}, 'Not recorded'],
    [decided('preset', 'default:strict'), 'default, strict'],
    [decided('policy', policy!.id), 'Falcon'],
    [decided('policy', 'pol_gone'), 'Deleted policy'],
    [decided('exception', exception.id), 'Exception for chat.example.com'],
    [decided('exception', 'exc_gone'), 'Deleted exception'],
    [decided('policy_webhook', 'x'), 'Policy webhook'],
    [decided('limit', 'too_long'), 'Length limit of a text'],
    [decided('limit', 'other'), 'other'],
    [decided('setting', 'zero'), 'zero'],
    [decided('feedback', 'alt_1'), 'Text that an approver allowed'],
  ];
  const nameOf = await readDeciders(
    { storage },
    organizationId,
    expected.map(([event]) => event),
  );
  for (const [event, name] of expected) {
    const { kind, id } = event.decidedBy ?? { kind: 'preset', id: null };
    assert.deepEqual(nameOf(event), { kind, id, name });
  }
});

test('withheld passages are counted once for each request of the project that had them', async (t) => {
  const { storage, organizationId, projectId } = await openNamed(t);
  const finding = (textKey: string, path: string, isWithheld = true): EventFinding => ({
    ...{ rule: 'r', type: 'jailbreak', path, role: 'user', start: 0, end: 1, confidence: 1 },
    ...{ isWithheld, textKey },
  });
  const record = (findings: readonly EventFinding[], change: object = {}) =>
    storage.decisions.record(
      makeRecord(organizationId, { decision: 'redact', projectId, findings, ...change }),
    );
  await record([finding('a', '/1'), finding('a', '/2')]);
  await record([finding('a', '/1'), finding('b', '/1')]);
  await record([finding('a', '/1', false)]);
  await record([finding('a', '/1')], { decision: 'block' });
  await record([finding('a', '/1')], { projectId: null });
  const asked = (change: object) =>
    countWithheld({ storage }, makeEvent(organizationId, { decision: 'redact', projectId, ...change }));
  assert.deepEqual(
    await asked({ findings: [finding('a', '/1'), finding('c', '/3'), finding('b', '/2', false)] }),
    [
      { path: '/1', requests: 2 },
      { path: '/3', requests: 0 },
    ],
  );
  assert.deepEqual(await asked({ findings: [finding('a', '/1')], projectId: null }), []);
  assert.deepEqual(await asked({ findings: [] }), []);
});
