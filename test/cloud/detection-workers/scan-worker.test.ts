import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  packFindingsOfSlots,
  unpackFindings as unpackingFindings,
} from '../../../apps/cloud/src/detection-workers/packed-findings.ts';
import { packSlots as packingSlots } from '../../../apps/cloud/src/detection-workers/packed-slots.ts';
import {
  runScanTask,
  type ScanJob,
  type ScanResult,
} from '../../../apps/cloud/src/detection-workers/scan-worker.ts';
import { finish } from '../../../shared/text/index.ts';

const packSlots = (...given: Parameters<typeof packingSlots>) => finish(packingSlots(...given));
const unpackFindings = (...given: Parameters<typeof unpackingFindings>) =>
  finish(unpackingFindings(...given));

const packKnown = (...given: Parameters<typeof packFindingsOfSlots>) => finish(packFindingsOfSlots(...given));

const scanJob = (job: ScanJob) => {
  const { findings, read } = runScanTask({ name: 'scan', job }) as ScanResult;
  return {
    findings: unpackFindings(findings),
    read: read && { slots: read.slots, findings: unpackFindings(read.findings) },
  };
};

test('runs a job independently of those before it', () => {
  const slots = packSlots([{ path: '/content', role: 'user', text: 'My SSN is 123-45-6789' }]);
  const job = (strictness: 'strict' | 'permissive') => ({
    slots,
    ruleset: { useCase: 'default', strictness, policies: [] } as const,
    rulesetKey: strictness,
    direction: 'input' as const,
  });
  const first = scanJob(job('strict'));
  scanJob(job('permissive'));
  // More rulesets than it stores.
  for (let n = 0; n < 70; n++) scanJob({ ...job('permissive'), rulesetKey: `key ${n}` });
  assert.deepEqual(scanJob(job('strict')), first);
  assert.ok(first.findings.some((finding) => finding.type === 'pii_leak'));
  assert.equal(first.read, null, 'a job without a cache reports no scanned texts');
});

test('does not scan a slot with known findings again, and reports the slots it scanned', () => {
  const text = 'My SSN is 123-45-6789';
  const slots = packSlots([text, text].map((content, n) => ({ path: `/${n}`, role: 'user', text: content })));
  const job = {
    slots,
    ruleset: { useCase: 'default', strictness: 'strict', policies: [] } as const,
    rulesetKey: 'strict',
    direction: 'input' as const,
  };
  const { findings, read } = scanJob({ ...job, known: packKnown([undefined, undefined]) });
  assert.deepEqual(read?.slots, [0, 1]);
  assert.deepEqual(read?.findings, findings);
  const again = scanJob({ ...job, known: packKnown([[], undefined]) });
  assert.deepEqual(
    again.findings,
    findings.filter(({ slot }) => slot === 1),
  );
  assert.deepEqual(again.read?.slots, [1]);
});

test('rejects a text as too costly when it has more findings than can be decided on in time', () => {
  const job = (count: number): ScanJob => ({
    slots: packSlots([{ path: '/', role: 'user', text: 'a@ex.io '.repeat(count) }]),
    ruleset: { useCase: 'default', strictness: 'strict', policies: [] },
    rulesetKey: 'strict',
    direction: 'input',
  });
  assert.equal(scanJob(job(130_000)).findings.length, 130_000, 'a list of customers is not too costly');
  assert.throws(() => scanJob(job(260_000)), { name: 'UnscannableTextError', reason: 'too_costly' });
});

test('redacts with the engine', () => {
  const job = { text: 'Mail ada@example.com', types: ['email'] as const };
  assert.deepEqual(runScanTask({ name: 'redact', job }), {
    redacted: 'Mail [EMAIL]',
    found: ['email'],
    count: 1,
  });
});
