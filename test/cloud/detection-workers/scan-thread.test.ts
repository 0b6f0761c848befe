import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { packSlots as packingSlots } from '../../../apps/cloud/src/detection-workers/packed-slots.ts';
import { createScanThread } from '../../../apps/cloud/src/detection-workers/scan-thread.ts';
import type { ScanTask } from '../../../apps/cloud/src/detection-workers/scan-worker.ts';
import { finish } from '../../../shared/text/index.ts';

const packSlots = (...given: Parameters<typeof packingSlots>) => finish(packingSlots(...given));

const fixture = (name: string) => new URL(`../../fixtures/threads/${name}.mjs`, import.meta.url);
const task: ScanTask = { name: 'redact', job: { text: 'Mail ada@example.com', types: ['email'] } };

describe('a scan thread', () => {
  test('runs one task after the other with the engine', async () => {
    const thread = createScanThread({ deadlineMs: 20_000, niceness: 5 });
    for (const _again of [1, 2]) {
      const { redacted } = (await thread.run(task)) as { redacted: string };
      assert.equal(redacted, 'Mail [EMAIL]');
    }
    await thread.close();
  });

  test('ends an endless task once its own work passes the deadline, and serves the next', async () => {
    const thread = createScanThread({ deadlineMs: 50, niceness: 0, file: fixture('spins-on-scan') });
    const endless: ScanTask = {
      name: 'scan',
      job: { slots: packSlots([]), ruleset: {} as never, rulesetKey: '', direction: 'input' },
    };
    await assert.rejects(thread.run(endless), { name: 'UnscannableTextError', reason: 'too_costly' });
    assert.equal(await thread.run(task), 'done');
    await thread.close();
  });

  test('counts neither starting nor waiting toward the deadline', async () => {
    // Starting takes more work than the deadline, and the task waits for longer than it.
    const thread = createScanThread({
      deadlineMs: 60,
      niceness: 0,
      file: fixture('starts-slowly-and-waits'),
    });
    assert.equal(await thread.run(task), 'done');
    await thread.close();
  });

  test('rejects a task that ended past the deadline before the timeout was noticed', async () => {
    const file = new URL('../../support/slow-scan-thread.ts', import.meta.url);
    const thread = createScanThread({ deadlineMs: 10, niceness: 0, file });
    await assert.rejects(thread.run(task), { name: 'UnscannableTextError', reason: 'too_costly' });
    await thread.close();
  });

  test('reports a thread that dies, and starts another one', async () => {
    const thread = createScanThread({ deadlineMs: 5_000, niceness: 0, file: fixture('dies-on-scan') });
    const deadly: ScanTask = {
      name: 'scan',
      job: { slots: packSlots([]), ruleset: {} as never, rulesetKey: '', direction: 'input' },
    };
    await assert.rejects(thread.run(deadly), { message: 'The scan thread ended with code 3.' });
    assert.equal(await thread.run(task), 'done');
    await thread.close();
  });

  test('rejects a running task when it is closed', async () => {
    const thread = createScanThread({ deadlineMs: 60_000, niceness: 0, file: fixture('spins-on-scan') });
    const endless = thread.run({
      name: 'scan',
      job: { slots: packSlots([]), ruleset: {} as never, rulesetKey: '', direction: 'input' },
    });
    const failed = assert.rejects(endless, { message: 'The scanner is closed.' });
    await thread.close();
    await failed;
  });
});
