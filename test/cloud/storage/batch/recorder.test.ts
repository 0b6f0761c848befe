import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Batch, BatchWriter, PreparedDecision } from '../../../../apps/cloud/src/storage/batch/batch.ts';
import { createModelNames } from '../../../../apps/cloud/src/storage/batch/model-names.ts';
import { prepareDecision } from '../../../../apps/cloud/src/storage/batch/prepare-decision.ts';
import { createRecorder } from '../../../../apps/cloud/src/storage/batch/recorder.ts';
import { StorageError } from '../../../../apps/cloud/src/storage/storage-error.ts';
import { makeRecord, NOON } from '../../../conformance/storage-engines.ts';

/** A writer that keeps what it is given, or fails as told. */
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

const decision = (): PreparedDecision => prepareDecision(makeRecord('org_a'), NOON, createModelNames());
const admission = { accountId: 'usr_a', limit: null, device: false, nowMs: NOON };

test('callers of one turn share a batch; many are cut into several, none is left out', async () => {
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

test('what nobody waits for rides in the next batch, and stays for another when that one fails', async () => {
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

test('one bad record is refused alone, with its cause', async () => {
  const bad = decision();
  const { written, recorder } = scripted((batch) =>
    batch.decisions.includes(bad) ? new StorageError('rejected', 'bad value') : undefined,
  );
  const results = await Promise.allSettled([decision(), bad, decision()].map((one) => recorder.record(one)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(
    written.reduce((sum, batch) => sum + batch.decisions.length, 0),
    2,
  );
});

test('flush resolves when all that was recorded before it is written, more than one batch, too', async () => {
  const { written, recorder } = scripted();
  const records = Array.from({ length: 300 }, () => recorder.record(decision()));
  await recorder.flush();
  assert.equal(
    written.reduce((sum, batch) => sum + batch.decisions.length, 0),
    300,
  );
  await Promise.all(records);
});
