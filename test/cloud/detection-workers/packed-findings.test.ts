import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findingsBySlot,
  packFindings,
  packFindingsOfSlots,
  unpackFindings as unpackingFindings,
} from '../../../apps/cloud/src/detection-workers/packed-findings.ts';
import type { Finding } from '../../../shared/detection/index.ts';
import { finish } from '../../../shared/text/index.ts';
import { pausesOf } from '../../support/pauses.ts';

const unpackFindings = (...given: Parameters<typeof unpackingFindings>) =>
  finish(unpackingFindings(...given));

const email = (slot: number, start: number): Finding => ({
  slot,
  start,
  end: start + 9,
  type: 'pii_leak',
  rule: 'pii.email',
  confidence: 0.95,
  reason: 'An e-mail address.',
  pii: 'email',
  placeholder: '[EMAIL]',
});

test('unpacks findings as they were packed, in the same order', () => {
  const findings: Finding[] = [
    email(0, 3),
    { ...email(1, 0), policyId: 'pol_1', role: 'user' },
    { ...email(0, 40), confidence: 0.5 },
    email(7, 2_000_000),
  ];
  assert.deepEqual(unpackFindings(finish(packFindings(findings))), findings);
  assert.deepEqual(unpackFindings(finish(packFindings([]))), []);
});

test('packs what findings have in common only once', () => {
  const findings = Array.from({ length: 10_000 }, (_, n) => email(n % 3, n * 10));
  const packed = finish(packFindings(findings));
  assert.equal(packed.kinds.length, 1);
  assert.deepEqual(unpackFindings(packed), findings);
});

test('packs what is known of some slots in steps, with the slot that it is known of', () => {
  const known = [[email(4, 1), email(4, 20)], undefined, [], [email(0, 7)]];
  const bySlot = finish(findingsBySlot(finish(packFindingsOfSlots(known))));
  assert.deepEqual(
    [...bySlot],
    [
      [0, [email(0, 1), email(0, 20)]],
      [2, []],
      [3, [email(3, 7)]],
    ],
  );
  const many = Array.from({ length: 50 }, () => Array.from({ length: 1_000 }, (_, n) => email(0, n * 10)));
  assert.ok(pausesOf(packFindingsOfSlots(many)) >= 190);
});
