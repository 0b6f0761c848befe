import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { createUsageMeter } from '../../../../apps/cloud/src/flows/usage-report/usage-meter.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const DAY = '2026-11-20';
const NOTHING = {
  ...{ requests: 0, blocked: 0, redacted: 0, rejected: 0, calls: 0, callErrors: 0, unmetered: 0 },
  ...{ inputTokens: 0, outputTokens: 0, scans: 0, scanUs: 0, callMs: 0 },
};

async function openMeter(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, clock } = env;
  const { organizationId } = await env.addPerson();
  const errors: [object, string][] = [];
  const log = { error: (fields: object, message: string) => void errors.push([fields, message]) };
  const meter = createUsageMeter({ storage, clock, log });
  const caller = { organizationId, projectId: 'prj_a', keyId: 'key_a', deviceId: null };
  const rows = async (id = organizationId) => {
    const by = ['day', 'projectId', 'keyId', 'deviceId', 'model'] as const;
    const range = { fromDay: '2026-11-01', toDay: '2026-11-30' };
    return (await storage.usageDetails.sum(id, range, by)).toSorted((a, b) =>
      JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
    );
  };
  /** Takes the table away, as a database that cannot be written does, and back. */
  const rename = (from: string, to: string) => {
    const database = new SqliteDatabase(path.join(env.dataDir, 'gateway.sqlite'));
    database.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
    database.close();
  };
  return {
    ...{ ...env, meter, caller, rows, errors, organizationId },
    breakTable: () => rename('usage_details', 'usage_away'),
    mendTable: () => rename('usage_away', 'usage_details'),
  };
}

test('a call is stored immediately: its time and tokens, whether it failed, and whether its usage is unknown', async (t) => {
  const { meter, caller, rows, errors } = await openMeter(t);
  await meter.called(caller, { isError: false, ms: 40, tokens: { input: 7, output: 3 } });
  const place = { day: DAY, projectId: 'prj_a', keyId: 'key_a', deviceId: '', model: '' };
  const first = { ...NOTHING, calls: 1, callMs: 40, inputTokens: 7, outputTokens: 3 };
  assert.deepEqual(await rows(), [{ ...place, ...first }]);
  await meter.called(caller, { isError: false, ms: 1, tokens: null });
  assert.deepEqual(await rows(), [{ ...place, ...first, calls: 2, callMs: 41, unmetered: 1 }]);
  await meter.called(caller, { isError: true, ms: 1, tokens: null });
  assert.deepEqual(await rows(), [{ ...place, ...first, calls: 3, callMs: 42, unmetered: 1, callErrors: 1 }]);
  const device = { ...caller, projectId: null, deviceId: 'dev_a' };
  await meter.called(device, { isError: true, ms: 5, tokens: { input: 1, output: 0 } });
  assert.deepEqual(
    (await rows()).find(({ deviceId }) => deviceId === 'dev_a'),
    {
      ...{ ...NOTHING, day: DAY, projectId: '', keyId: 'key_a', deviceId: 'dev_a', model: '' },
      ...{ calls: 1, callMs: 5, callErrors: 1, inputTokens: 1 },
    },
  );
  assert.deepEqual(errors, []);
});

test('rejections are stored with the next flush, one row for each place and day', async (t) => {
  const { meter, caller, rows, clock, addPerson } = await openMeter(t);
  const other = (await addPerson()).organizationId;
  meter.rejected(caller);
  meter.rejected(caller);
  meter.rejected({ ...caller, projectId: null });
  meter.rejected({ ...caller, keyId: 'key_b' });
  meter.rejected({ ...caller, deviceId: 'dev_a' });
  meter.rejected({ ...caller, organizationId: other });
  clock.advance(24 * 60 * 60_000);
  meter.rejected(caller);
  assert.deepEqual(await rows(), []);
  await meter.flush();
  const stored = await rows();
  assert.deepEqual(
    stored
      .map(({ day, projectId, keyId, deviceId, rejected }) =>
        [day, projectId, keyId, deviceId, rejected].join(),
      )
      .sort(),
    [
      `${DAY},,key_a,,1`,
      `${DAY},prj_a,key_a,,2`,
      `${DAY},prj_a,key_a,dev_a,1`,
      `${DAY},prj_a,key_b,,1`,
      '2026-11-21,prj_a,key_a,,1',
    ],
  );
  const { day, projectId, keyId, deviceId, model, ...counts } = stored.find(
    ({ rejected }) => rejected === 2,
  )!;
  assert.deepEqual(counts, { ...NOTHING, rejected: 2 });
  assert.equal((await rows(other)).length, 1);
  await meter.flush();
  assert.deepEqual(await rows(), stored, 'they are stored once');
});

test('rejections that cannot be stored wait for the next flush, together with newer ones', async (t) => {
  const { meter, caller, rows, errors, breakTable, mendTable } = await openMeter(t);
  meter.rejected(caller);
  meter.rejected({ ...caller, keyId: 'key_b' });
  breakTable();
  const failing = meter.flush();
  meter.rejected(caller);
  await assert.rejects(failing);
  await assert.rejects(meter.flush());
  mendTable();
  await meter.flush();
  assert.deepEqual(
    (await rows()).map(({ keyId, rejected }) => [keyId, rejected]),
    [
      ['key_a', 2],
      ['key_b', 1],
    ],
  );
  assert.deepEqual(errors, []);
});

test('a call that cannot be stored is logged, and does not fail', async (t) => {
  const { meter, caller, rows, errors, breakTable, mendTable } = await openMeter(t);
  breakTable();
  await meter.called(caller, { isError: false, ms: 1, tokens: null });
  mendTable();
  assert.equal(errors.length, 1);
  assert.ok((errors[0]![0] as { err: unknown }).err instanceof Error);
  assert.deepEqual(await rows(), []);
});

test('flushes that overlap store each count once, and each waits for all that was counted before', async (t) => {
  const { meter, caller, rows } = await openMeter(t);
  meter.rejected(caller);
  const first = meter.flush();
  meter.rejected(caller);
  await meter.flush();
  assert.deepEqual(
    (await rows()).map(({ rejected }) => rejected),
    [2],
  );
  await first;
});
