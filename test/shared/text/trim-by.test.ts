import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimBy, trimEndBy, trimStartBy } from '../../../shared/text/index.ts';
import { assertLinear } from '../../support/cpu-time.ts';

test('trims both ends, keeps the middle, and removes whole characters only', () => {
  assert.equal(trimBy(' " a b " ', /[\s"]/), 'a b');
  assert.equal(trimStartBy('((a(', /\(/), 'a(');
  assert.equal(trimEndBy('((a((', /\(/), '((a');
  for (const empty of ['', '((((']) assert.equal(trimBy(empty, /\(/), '');
  assert.equal(trimBy('😀𝐀b𝐀😀', /[^\p{L}]/u), '𝐀b𝐀');
  assert.equal(trimBy('\udc00a\ud800', /[^a]/u), 'a');
});

test('long runs within a text take linear time', () => {
  const make = (size: number): string => `a${' '.repeat(size)}b${' '.repeat(size)}`;
  assertLinear('runs', make, (text) => trimBy(text, /\s/), 100_000);
});
