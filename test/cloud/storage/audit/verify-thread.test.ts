import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VerifyProgress } from '../../../../apps/cloud/src/storage/model/audit.ts';
import { makeRecord, onEveryEngine } from '../../../conformance/storage-engines.ts';
import { isCounted } from '../../../support/cpu-time.ts';

const EVENTS = 12_000;

onEveryEngine('Verification of a long chain', (engine) => {
  test('takes its CPU time on another thread, and reports its progress', async () => {
    const storage = await engine.open();
    const records = Array.from({ length: EVENTS }, () => makeRecord('org_long'));
    await Promise.all(records.map((record) => storage.decisions.record(record)));
    // The first one starts the thread.
    await storage.audit.verify('org_none');
    const progress: VerifyProgress[] = [];
    const [all, own] = [process.cpuUsage(), process.threadCpuUsage()];
    const report = await storage.audit.verify('org_long', (step) => progress.push(step));
    const [allMs, ownMs] = [process.cpuUsage(all), process.threadCpuUsage(own)].map(
      ({ user, system }) => (user + system) / 1_000,
    );
    assert.deepEqual([report.valid, report.checked, report.events_checked], [true, EVENTS, EVENTS]);
    assert.deepEqual(progress, [
      { rows: 0, of: EVENTS },
      { rows: 10_000, of: EVENTS },
    ]);
    if (!isCounted) assert.ok(ownMs! < allMs! / 4, `${ownMs} of ${allMs} ms on the thread of the caller`);
  });

  test('has reported all progress when it ends, however short it was', async () => {
    const storage = await engine.open();
    await storage.decisions.record(makeRecord('org_short'));
    for (let run = 0; run < 100; run++) {
      const progress: VerifyProgress[] = [];
      await storage.audit.verify('org_short', (step) => progress.push(step));
      assert.deepEqual(progress, [{ rows: 0, of: 1 }], `run ${run}`);
    }
  });

  test('ends with the storage', async () => {
    const storage = await engine.open();
    const running = storage.audit.verify('org_long');
    const rejected = assert.rejects(running);
    await storage.close();
    await rejected;
  });
});
