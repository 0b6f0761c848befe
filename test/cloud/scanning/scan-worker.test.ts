import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactInWorker, scanInWorker } from '../../../apps/cloud/src/scanning/scan-worker.ts';

test('a job carries all it needs, whatever ran before it', () => {
  const slots = [{ path: '/content', role: 'user' as const, text: 'My SSN is 123-45-6789' }];
  const job = (strictness: 'strict' | 'permissive') => ({
    slots,
    ruleset: { useCase: 'default', strictness, policies: [] } as const,
    rulesetKey: strictness,
    direction: 'input' as const,
  });
  const first = scanInWorker(job('strict'));
  scanInWorker(job('permissive'));
  // More rulesets than it keeps.
  for (let n = 0; n < 70; n++) scanInWorker({ ...job('permissive'), rulesetKey: `key ${n}` });
  assert.deepEqual(scanInWorker(job('strict')), first);
  assert.ok(first.findings.some((finding) => finding.type === 'pii_leak'));
});

test('what is known of a slot is not read again, and what is not is told', () => {
  const text = 'My SSN is 123-45-6789';
  const slots = [text, text].map((said, n) => ({ path: `/${n}`, role: 'user' as const, text: said }));
  const job = {
    slots,
    ruleset: { useCase: 'default', strictness: 'strict', policies: [] } as const,
    rulesetKey: 'strict',
    direction: 'input' as const,
  };
  const { findings, read } = scanInWorker(job);
  assert.deepEqual(
    read.map(({ index, found }) => [index, found.length]),
    [
      [0, 1],
      [1, 1],
    ],
  );
  const again = scanInWorker({ ...job, known: [[], undefined] });
  assert.deepEqual(
    again.findings,
    findings.filter(({ slot }) => slot === 1),
  );
  assert.deepEqual(
    again.read.map(({ index }) => index),
    [1],
  );
});

test('redaction is the engine’s', () => {
  assert.deepEqual(redactInWorker({ text: 'Mail ada@example.com', types: ['email'] }), {
    redacted: 'Mail [EMAIL]',
    found: ['email'],
    count: 1,
  });
});
