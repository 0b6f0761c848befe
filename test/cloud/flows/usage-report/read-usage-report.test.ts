import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageGroup } from '@csg/shared/contract';
import { readUsageReport } from '../../../../apps/cloud/src/flows/usage-report/read-usage-report.ts';
import { createUsageMeter } from '../../../../apps/cloud/src/flows/usage-report/usage-meter.ts';
import { makeKey } from '../../../../apps/cloud/src/storage/key-format.ts';
import type { UsageCounts, UsagePlace } from '../../../../apps/cloud/src/storage/model/usage-details.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const RANGE = { fromDay: '2026-11-10', toDay: '2026-11-20' };
const NOTHING = {
  ...{ requests: 0, blocked: 0, redacted: 0, rejected: 0, calls: 0, callErrors: 0, unmetered: 0 },
  ...{ inputTokens: 0, outputTokens: 0, scans: 0, scanUs: 0, callMs: 0 },
};
const NO_FIGURES = {
  ...{ requests: 0, blocked: 0, redacted: 0, rejected: 0, provider_calls: 0, provider_errors: 0 },
  ...{ input_tokens: 0, output_tokens: 0, without_usage: 0, cost_usd: null, unpriced_tokens: 0 },
  ...{ scan_ms: null, provider_ms: null },
};

async function openReport(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, clock } = env;
  const { organizationId, userId } = await env.addPerson();
  const meter = createUsageMeter({ storage, clock, log: { error: assert.fail } });
  const add = (row: Partial<UsagePlace & UsageCounts>) => {
    const place = { organizationId, day: '2026-11-15', projectId: '', keyId: '', deviceId: '', model: '' };
    return storage.usageDetails.add([{ ...place, ...NOTHING, ...row }]);
  };
  const read = (by: UsageGroup) => readUsageReport({ storage, meter }, organizationId, RANGE, by);
  const addKey = async (name: string, owner: string | null) => {
    const rest = { permissions: [], expiresAtMs: null, projectId: null, deviceId: null };
    return (await storage.keys.insert({ organizationId, userId: owner, name, key: makeKey(), ...rest })).id;
  };
  return { ...env, organizationId, userId, meter, add, read, addKey };
}

test('every figure is the sum of its rows, in the total and in the row', async (t) => {
  const { add, read } = await openReport(t);
  const counts = {
    ...{ requests: 2, blocked: 3, redacted: 5, rejected: 7, calls: 3, callErrors: 11, unmetered: 13 },
    ...{ inputTokens: 17, outputTokens: 19, scans: 3, scanUs: 1_000, callMs: 100 },
  };
  await add({ model: 'a', ...counts });
  await add({ model: 'a', day: '2026-11-16', ...counts });
  const figures = {
    ...{ requests: 4, blocked: 6, redacted: 10, rejected: 14, provider_calls: 6, provider_errors: 22 },
    ...{ input_tokens: 34, output_tokens: 38, without_usage: 26, cost_usd: null, unpriced_tokens: 72 },
    // In milliseconds, rounded to the microsecond and to a tenth.
    ...{ scan_ms: 0.333, provider_ms: 33.3 },
  };
  assert.deepEqual(await read('model'), {
    ...{ from: '2026-11-10', to: '2026-11-20', by: 'model', total: figures },
    rows: [{ id: 'a', name: 'a', ...figures }],
  });
});

test('the range includes its first and last day, counts that wait are stored first, and no rows are no figures', async (t) => {
  const { add, read, meter, organizationId, addPerson } = await openReport(t);
  assert.deepEqual(await read('day'), {
    ...{ from: '2026-11-10', to: '2026-11-20', by: 'day', total: NO_FIGURES, rows: [] },
  });
  for (const day of ['2026-11-09', '2026-11-10', '2026-11-20', '2026-11-21']) await add({ day, requests: 1 });
  const other = await addPerson();
  await add({ organizationId: other.organizationId, requests: 50 });
  meter.rejected({ organizationId, projectId: null, keyId: 'key_a', deviceId: null });
  const { rows, total } = await read('day');
  assert.deepEqual(
    rows.map(({ id, name, requests, rejected }) => [id, name, requests, rejected]),
    [
      ['2026-11-10', '2026-11-10', 1, 0],
      ['2026-11-20', '2026-11-20', 1, 1],
    ],
  );
  assert.deepEqual([total.requests, total.rejected], [2, 1]);
});

test('costs are by the first price that fits the model, and tokens without a price are counted', async (t) => {
  const { add, read, storage, organizationId } = await openReport(t);
  await storage.usageDetails.setPrices(organizationId, [
    { model: 'gpt-5', input_usd: 2, output_usd: 10 },
    { model: 'gpt-*', input_usd: 1, output_usd: 4 },
  ]);
  await add({ projectId: 'p', model: 'gpt-5', inputTokens: 1_000, outputTokens: 100 });
  await add({ projectId: 'p', model: 'gpt-5-mini', inputTokens: 1, outputTokens: 1 });
  await add({ projectId: 'p', model: 'local', inputTokens: 3, outputTokens: 4 });
  await add({ projectId: 'q', model: 'local', inputTokens: 5, outputTokens: 6 });
  await add({ projectId: 'r', model: 'gpt-5' });
  const { rows, total } = await read('project');
  const costs = new Map(rows.map(({ id, cost_usd, unpriced_tokens }) => [id, [cost_usd, unpriced_tokens]]));
  assert.deepEqual(Object.fromEntries(costs), {
    ...{ p: [0.003005, 7], q: [null, 11], r: [0, 0] },
  });
  assert.deepEqual([total.cost_usd, total.unpriced_tokens], [0.003005, 18]);
});

test('rows have the name of what they count, "None" without one, and the id of what is gone', async (t) => {
  const { add, read, storage, organizationId, addKey } = await openReport(t);
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'Shop' });
  const device = await storage.devices.insert(organizationId, { name: 'Laptop', platform: 'linux' });
  const keyId = await addKey('Server', null);
  await add({ projectId, keyId, deviceId: device.id, model: 'm', requests: 4 });
  await add({ projectId: 'gone', keyId: 'gone', deviceId: 'gone', model: 'n', requests: 2 });
  await add({ requests: 3 });
  await add({ projectId, keyId, deviceId: device.id, model: 'n', requests: 4 });
  const named = async (by: UsageGroup) =>
    (await read(by)).rows.map(({ id, name, requests }) => [id, name, requests]);
  for (const [by, id, name] of [
    ['project', projectId, 'Shop'],
    ['key', keyId, 'Server'],
    ['device', device.id, 'Laptop'],
  ] as const) {
    assert.deepEqual(
      await named(by),
      [
        [id, name, 8],
        [null, 'None', 3],
        ['gone', 'gone', 2],
      ],
      by,
    );
  }
  assert.deepEqual(await named('model'), [
    ['n', 'n', 6],
    ['m', 'm', 4],
    [null, 'None', 3],
  ]);
});

test('the person is the owner of the device, else of the key', async (t) => {
  const { add, read, storage, organizationId, userId, addKey, addPerson } = await openReport(t);
  const ann = (await addPerson()).userId;
  await storage.members.add(organizationId, ann, 'member');
  await storage.users.update(ann, { name: 'Ann' });
  const [keyId, free] = [await addKey('Own', userId), await addKey('Free', null)];
  const owned = await storage.devices.insert(organizationId, { name: 'D', platform: 'linux', userId: ann });
  const unowned = await storage.devices.insert(organizationId, { name: 'E', platform: 'linux' });
  await add({ keyId, requests: 1 });
  await add({ keyId, deviceId: owned.id, requests: 10 });
  await add({ keyId, deviceId: unowned.id, requests: 100 });
  await add({ keyId: free, requests: 200 });
  await add({ keyId: 'gone', requests: 400 });
  assert.deepEqual(
    (await read('person')).rows.map(({ id, name, requests }) => [id, name, requests]),
    [
      [null, 'None', 700],
      [ann, 'Ann', 10],
      [userId, 'Person', 1],
    ],
  );
});

test('rows are by requests, then by rejections, then by name; days are by date', async (t) => {
  const { add, read } = await openReport(t);
  for (const [model, requests, rejected, day] of [
    ['c', 1, 5, '2026-11-12'],
    ['b', 1, 5, '2026-11-14'],
    ['a', 1, 4, '2026-11-13'],
    ['d', 2, 0, '2026-11-11'],
    ['e', 1, 6, '2026-11-15'],
  ] as const) {
    await add({ model, requests, rejected, day });
  }
  const ids = async (by: UsageGroup) => (await read(by)).rows.map(({ id }) => id).join();
  assert.equal(await ids('model'), 'd,e,b,c,a');
  assert.equal(await ids('day'), '2026-11-11,2026-11-12,2026-11-13,2026-11-14,2026-11-15');
});
