import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Batch, BatchWriter, PreparedDecision } from '../../../../apps/cloud/src/storage/batch/batch.ts';
import { createLabelLimit } from '../../../../apps/cloud/src/storage/batch/label-limit.ts';
import { createModelNames } from '../../../../apps/cloud/src/storage/batch/model-names.ts';
import { prepareDecision } from '../../../../apps/cloud/src/storage/batch/prepare-decision.ts';
import { createRecorder } from '../../../../apps/cloud/src/storage/batch/recorder.ts';
import { StorageError } from '../../../../apps/cloud/src/storage/storage-error.ts';
import { makeRecord, NOON } from '../../../conformance/storage-engines.ts';
import { until } from '../../../support/until.ts';

/** A writer that stores its batches, or fails on request. */
function scripted(faults: (batch: Batch) => Error | undefined = () => undefined) {
  const written: Batch[] = [];
  const writer: BatchWriter = {
    async write(batch) {
      const fault = faults(batch);
      if (fault !== undefined) throw fault;
      written.push(batch);
      return { admissions: batch.admissions.map(() => ({ admitted: true, used: 1 })), grown: new Map() };
    },
  };
  return { written, recorder: createRecorder({ writer, log: () => {}, onGrown: () => {} }) };
}

const decision = (): PreparedDecision =>
  prepareDecision(makeRecord('org_a'), NOON, createModelNames(), createLabelLimit());
const admission = { accountId: 'usr_a', limit: null, device: false, nowMs: NOON };

test('callers of one turn share a batch; many are split into several, and none is left out', async () => {
  const { written, recorder } = scripted();
  await Promise.all([
    recorder.record(decision()),
    recorder.record(decision()),
    recorder.admit({ ...admission, limit: 5 }),
  ]);
  assert.deepEqual(
    written.map((batch) => [batch.decisions.length, batch.admissions.length]),
    [[2, 1]],
  );
  await Promise.all(Array.from({ length: 1000 }, () => recorder.record(decision())));
  assert.ok(written.every((batch) => batch.decisions.length <= 256));
  assert.equal(
    written.reduce((sum, batch) => sum + batch.decisions.length, 0),
    1002,
  );
});

test('writes that no caller waits for join the next batch, and another one if that fails', async () => {
  let isDown = true;
  const { written, recorder } = scripted(() =>
    isDown ? new StorageError('unavailable', 'gone') : undefined,
  );
  assert.deepEqual(await recorder.admit(admission), { admitted: true, used: null });
  recorder.touch('key_a', NOON);
  await assert.rejects(recorder.record(decision()), /gone/);
  await assert.rejects(recorder.flush(), /gone/);
  isDown = false;
  await recorder.admit({ ...admission, device: true, limit: 0 });
  await recorder.record(decision());
  assert.deepEqual(
    written[0]?.increments.map((row) => [row.period, row.requests, row.deviceRequests]),
    [
      ['2026-11', 2, 1],
      ['2026-11-20', 2, 1],
    ],
  );
  assert.deepEqual([...(written[0]?.touches ?? [])], [['key_a', NOON]]);
  await recorder.flush();
  assert.equal(written[1]?.increments.length, 0);
});

test('flush resolves when everything recorded before it is written, also in several batches', async () => {
  const { written, recorder } = scripted();
  const records = Array.from({ length: 300 }, () => recorder.record(decision()));
  await recorder.flush();
  assert.equal(
    written.reduce((sum, batch) => sum + batch.decisions.length, 0),
    300,
  );
  await Promise.all(records);
});

test('each caller gets its own result if admissions fill several batches', async () => {
  const writer: BatchWriter = {
    write: async ({ admissions }) => ({
      admissions: admissions.map(({ nowMs }) => ({ admitted: nowMs % 2 === 0, used: nowMs })),
      grown: new Map(),
    }),
  };
  const recorder = createRecorder({ writer, log: () => {}, onGrown: () => {} });
  const asked = Array.from({ length: 600 }, (_, nowMs) => nowMs);
  const answers = await Promise.all(asked.map((nowMs) => recorder.admit({ ...admission, limit: 5, nowMs })));
  assert.deepEqual(
    answers,
    asked.map((nowMs) => ({ admitted: nowMs % 2 === 0, used: nowMs })),
  );
});

test('a batch waits while more keep coming, but not for a single record, nor forever', async () => {
  const { written, recorder } = scripted();
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const sizes = () => written.map((batch) => batch.decisions.length);
  const first = [recorder.record(decision()), recorder.record(decision())];
  await turn();
  await Promise.all([...first, recorder.record(decision())]);
  assert.deepEqual(sizes(), [3], 'what came a turn later is in it');
  const alone = recorder.record(decision());
  await turn();
  await Promise.all([alone, recorder.record(decision())]);
  assert.deepEqual(sizes(), [3, 1, 1], 'a single record does not wait');
  const all: Promise<void>[] = [recorder.record(decision()), recorder.record(decision())];
  for (let i = 0; i < 20 && written.length === 3; i++) {
    all.push(recorder.record(decision()));
    await turn();
  }
  assert.ok(sizes()[3]! < 12, `${sizes()} are written while more come`);
  await Promise.all(all);
});

test('decisions and admissions that arrive together wait for more alike', async () => {
  const { written, recorder } = scripted();
  const both: Promise<unknown>[] = [recorder.record(decision()), recorder.admit({ ...admission, limit: 5 })];
  await new Promise((resolve) => setImmediate(resolve));
  both.push(recorder.record(decision()));
  await Promise.all(both);
  assert.deepEqual(
    written.map((batch) => [batch.decisions.length, batch.admissions.length]),
    [[2, 1]],
  );
});

test('the last use of a key is recorded once a minute, and a later time survives a failed batch', async () => {
  let isDown = false;
  const { written, recorder } = scripted(() => {
    if (!isDown) return undefined;
    recorder.touch('key_b', NOON + 60_000);
    return new StorageError('unavailable', 'gone');
  });
  const touchesAfter = async (keyId: string, atMs: number) => {
    recorder.touch(keyId, atMs);
    await recorder.flush();
    return [...written.at(-1)!.touches];
  };
  assert.deepEqual(await touchesAfter('key_a', NOON), [['key_a', NOON]]);
  assert.deepEqual(await touchesAfter('key_a', NOON + 59_999), []);
  assert.deepEqual(await touchesAfter('key_a', NOON + 60_000), [['key_a', NOON + 60_000]]);
  isDown = true;
  recorder.touch('key_b', NOON);
  await assert.rejects(recorder.flush(), /gone/);
  isDown = false;
  await recorder.flush();
  assert.deepEqual([...written.at(-1)!.touches], [['key_b', NOON + 60_000]]);
});

test('writes that no caller waits for are written automatically, also after a failed batch', async () => {
  let failures = 1;
  const { written, recorder } = scripted(() =>
    failures-- > 0 ? new StorageError('unavailable', 'gone') : undefined,
  );
  await recorder.admit(admission);
  await until(
    async () => written.length,
    (length) => length > 0,
  );
  assert.deepEqual(
    written[0]?.increments.map((row) => row.requests),
    [1, 1],
  );
  recorder.touch('key_a', NOON);
  await until(
    async () => written.length,
    (length) => length > 1,
  );
  assert.deepEqual([...written[1]!.touches], [['key_a', NOON]]);
});

test('grown chains are reported, and so is a batch that could not be written', async () => {
  const heard: unknown[] = [];
  let isDown = false;
  const writer: BatchWriter = {
    async write() {
      if (isDown) throw new Error('gone');
      return { admissions: [], grown: new Map([['org_a', 1]]) };
    },
  };
  const recorder = createRecorder({
    writer,
    log: (level, _message, fields) => heard.push([level, fields]),
    onGrown: (grown) => heard.push(...grown),
  });
  await recorder.record(decision());
  isDown = true;
  await assert.rejects(recorder.record(decision()), /gone/);
  assert.deepEqual(heard, [
    ['org_a', 1],
    ['error', { cause: 'gone', decisions: 1, admissions: 0 }],
  ]);
});
