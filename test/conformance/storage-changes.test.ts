/**
 * What is created is what is read, and of a change the members that it names are stored, with every kind of value, and
 * nothing else.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import type { FleetSettings } from '../../apps/cloud/src/storage/model/fleet-settings.ts';
import type {
  EndpointInput,
  EndpointOf,
  Policy,
  PolicyInput,
  Project,
  ProjectChange,
  Storage,
  Subscription,
} from '../../apps/cloud/src/storage/storage.ts';
import { createTestEnv, NOON, onEveryEngine, type TestEnv } from './storage-engines.ts';

/** For each member that can be changed: values that differ, null among them where there may be none. */
type Values<Change> = { readonly [Member in keyof Change]-?: readonly Exclude<Change[Member], undefined>[] };

/** Where a record is read and changed. Members in `moving` change with every write. */
interface Changeable<Rec extends object, Change> {
  readonly values: Values<Change>;
  readonly moving?: readonly (keyof Rec)[];
  read(): Promise<Rec>;
  /** Resolves to the record as it was written. */
  change(change: Partial<Change>): Promise<Rec>;
}

async function holdChanges<Rec extends object, Change>(stored: Changeable<Rec, Change>): Promise<void> {
  const { values, moving = [], read, change } = stored;
  const still = (record: Rec) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !moving.includes(name as keyof Rec)));
  const hold = async (changed: Partial<Change>): Promise<void> => {
    const due = { ...still(await read()), ...changed };
    assert.deepEqual(still(await change(changed)), due, `written: ${JSON.stringify(changed)}`);
    assert.deepEqual(still(await read()), due, `read: ${JSON.stringify(changed)}`);
  };
  const members = Object.entries(values) as [keyof Change, readonly Change[keyof Change][]][];
  const all = (at: (list: readonly Change[keyof Change][]) => Change[keyof Change] | undefined) =>
    Object.fromEntries(members.map(([name, list]) => [name, at(list)])) as Partial<Change>;
  await hold(all((list) => list[0]));
  for (const [name, list] of members) {
    for (const value of [...list.slice(1), list[0]]) await hold({ [name]: value } as Partial<Change>);
  }
  await hold(all((list) => list.at(-1)));
  await hold({});
}

/** Asserts that what is created has these members, and is read as it was returned. */
async function holdCreated<Input extends object, Rec extends object>(
  inputs: readonly Input[],
  create: (input: Input) => Promise<Rec>,
  read: (created: Rec) => Promise<Rec | null | undefined>,
): Promise<void> {
  for (const input of inputs) {
    const created = await create(input);
    assert.deepEqual(created, { ...created, ...input }, `returned: ${JSON.stringify(input)}`);
    assert.deepEqual(await read(created), created, `read: ${JSON.stringify(input)}`);
  }
}

onEveryEngine('Records and their changes', (engine) => {
  let storage: Storage;
  let testEnv: TestEnv;
  before(async () => {
    storage = await engine.open();
    testEnv = await createTestEnv(storage);
  });

  test('changes of a project', () =>
    holdChanges<Project, ProjectChange>({
      values: {
        name: ['Bot', 'Other'],
        description: ['A bot.', null],
        failMode: ['closed', 'open'],
        useCase: ['support_bot', 'default'],
        strictnessLevel: ['strict', 'moderate'],
        zeroRetention: [true, false],
        settings: [{ streaming: 'live' }, {}],
        retentionDays: [7, null],
      },
      read: async () => (await storage.projects.get(testEnv.organizationId, testEnv.projectId))!,
      change: (change) => storage.projects.update(testEnv.organizationId, testEnv.projectId, change),
    }));

  test('changes of a policy', async () => {
    const { organizationId } = testEnv;
    const [{ id }] = (await storage.policies.insertMany(organizationId, null, [
      { name: 'Policy', action: 'block', threatTypes: ['pii_leak'], priority: 1 },
    ])) as [Policy];
    await holdChanges<Policy, PolicyInput>({
      values: {
        name: ['Mail', 'Cards'],
        description: ['For mail.', null],
        action: ['monitor', 'block'],
        threatTypes: [['secret_leak', 'pii_leak'], []],
        priority: [0, 900],
        isActive: [false, true],
        fromPreset: [true, false],
        rules: [{ patterns: [{ name: 'Number', pattern: 'N-[0-9]+' }] }, {}],
      },
      moving: ['version', 'updatedAtMs'],
      read: async () => (await storage.policies.get(organizationId, id))!,
      change: (change) => storage.policies.update(organizationId, id, change),
    });
  });

  test('changes of a webhook', async () => {
    const { organizationId, projectId } = testEnv;
    const input = { url: 'https://example.com/w', isEnabled: true, events: null, secret: 'a secret' };
    const { id } = await storage.endpoints.insert(organizationId, 'webhook', { ...input, projectId });
    await holdChanges<EndpointOf<'webhook'>, EndpointInput<'webhook'>>({
      values: {
        url: ['https://example.com/x', 'https://example.com/y'],
        isEnabled: [false, true],
        events: [['request.blocked'], [], null],
      },
      read: async () => (await storage.endpoints.list(organizationId, { kind: 'webhook', projectId }))[0]!,
      change: async (change) => (await storage.endpoints.update(organizationId, 'webhook', id, change))!,
    });
  });

  test('changes of a policy endpoint, whose details are sealed with its address', async () => {
    const { organizationId, projectId } = testEnv;
    await storage.endpoints.put(organizationId, 'policy', projectId, {});
    await holdChanges<EndpointOf<'policy'>, EndpointInput<'policy'>>({
      values: {
        url: ['https://example.com/p', 'https://example.com/q'],
        failMode: ['closed', 'open'],
        timeoutMs: [200, 300],
        isEnabled: [true, false],
        events: [null],
      },
      read: async () => (await storage.endpoints.own(organizationId, 'policy', projectId))!,
      change: (change) => storage.endpoints.put(organizationId, 'policy', projectId, change),
    });
  });

  test('changes of a subscription', () =>
    holdChanges<Subscription, Omit<Subscription, 'accountId'>>({
      values: {
        plan: ['scale', 'free'],
        status: ['past_due', 'active'],
        perMinute: [7, 0, null],
        monthly: [5_000_000_000, 0, null],
        spendCapUsd: [12.5, 0, null],
        onDemand: [false, true],
      },
      read: async () => (await storage.subscriptions.get(testEnv.userId))!,
      change: (change) => storage.subscriptions.set(testEnv.userId, change),
    }));

  test('changes of the settings of a fleet', () =>
    holdChanges<FleetSettings, FleetSettings>({
      values: {
        mode: ['monitor', 'enforce'],
        extraHosts: [['one.example'], []],
        bypassHosts: [['two.example', 'three.example'], []],
        blockedTools: [['grok.com'], []],
        fleet: ['Sales', null],
        forceUpdateMode: ['force', 'notify', 'off'],
        pinnedChannel: ['beta', null],
        minVersionOverride: ['1.2.3', null],
      },
      read: () => storage.fleetSettings.get(testEnv.organizationId),
      change: (change) => storage.fleetSettings.set(testEnv.organizationId, change),
    }));

  test('notification targets with and without optional values', () =>
    holdCreated(
      [
        {
          ...{ form: 'webhook', url: 'https://example.com/n', isEnabled: true },
          ...{ events: ['request_submitted'], digest: 'daily' },
          quietHours: { time_zone: 'Europe/Berlin', from: '20:00', to: '08:00' },
        },
        {
          ...{ form: 'mail', url: 'a@example.com', isEnabled: false },
          ...{ events: null, digest: null, quietHours: null },
        },
      ] as EndpointInput<'notification'>[],
      (input) => storage.endpoints.insert(testEnv.organizationId, 'notification', input),
      async ({ id }) =>
        (await storage.endpoints.list(testEnv.organizationId, { kind: 'notification' })).find(
          (one) => one.id === id,
        ),
    ));

  test('keys with and without optional values', () => {
    const { organizationId, projectId, userId } = testEnv;
    const first = { organizationId, name: 'a key', permissions: ['scan'] as const };
    return holdCreated(
      [
        { ...first, projectId, userId, deviceId: null, expiresAtMs: NOON + 1 },
        { ...first, projectId: null, userId: null, deviceId: null, expiresAtMs: null },
      ],
      (input) => {
        const limits = input.userId === null ? undefined : { allowedModels: ['m'], dailyTokenLimit: 0 };
        return storage.keys.insert({ ...input, ...(limits && { limits }), key: makeKey() });
      },
      async ({ id }) => {
        const key = await storage.keys.get(organizationId, id);
        const isLimited = key?.userId !== null;
        assert.deepEqual([key?.allowedModels, key?.dailyTokenLimit], isLimited ? [['m'], 0] : [[], null]);
        return key;
      },
    );
  });

  test('devices with and without optional values', () =>
    holdCreated(
      [
        {
          ...{ name: 'Laptop', platform: 'linux', coverage: 'extension' },
          ...{ projectId: testEnv.projectId, userId: testEnv.userId, endUserLabel: 'Kim' },
        },
        {
          name: 'Other',
          platform: 'macos',
          coverage: 'proxy',
          projectId: null,
          userId: null,
          endUserLabel: null,
        },
      ] as Parameters<Storage['devices']['insert']>[1][],
      (input) => storage.devices.insert(testEnv.organizationId, input),
      ({ id }) => storage.devices.get(testEnv.organizationId, id),
    ));

  test('reviews of tool calls with and without optional values', () => {
    const { organizationId, projectId, userId } = testEnv;
    const call = {
      deviceId: null,
      requestedBy: 'key',
      agentId: 'a',
      toolName: 't',
      reason: 'r',
    };
    return holdCreated(
      [
        {
          ...{ ...call, projectId, requesterUserId: userId, sessionId: 's' },
          ...{ arguments: { path: '/' }, eventId: 'evt_1' },
        },
        { ...call, projectId: null, requesterUserId: null, sessionId: null, arguments: null },
      ],
      (input) => {
        const made = { ...input, subject: input.agentId, endsInMs: 1 };
        return storage.requests.insert(organizationId, 'tool_review', made);
      },
      ({ id }) => storage.requests.get(organizationId, id, 'tool_review'),
    );
  });
});
