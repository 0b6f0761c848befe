import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  agoText,
  countOf,
  countText,
  durationText,
  percentText,
  shortCount,
  spanText,
} from '../../../apps/cloud/dashboard/src/data/format.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const before = (ms: number) => new Date(NOW - ms).toISOString();

test('counts are exact below ten thousand and compact above', () => {
  assert.equal(countText(1234567), '1,234,567');
  assert.equal(shortCount(9999), '9,999');
  assert.equal(shortCount(12_345), '12.3K');
  assert.equal(countOf(1, 'device'), '1 device');
  assert.equal(countOf(0, 'policy', 'policies'), '0 policies');
});

test('a share above 0 is never shown as 0%, nor one below 1 as 100%', () => {
  assert.equal(percentText(0), '0%');
  assert.equal(percentText(0.0004), '<0.1%');
  assert.equal(percentText(0.004), '0.4%');
  assert.equal(percentText(0.126), '13%');
  assert.equal(percentText(0.9999), '>99.9%');
  assert.equal(percentText(1), '100%');
  assert.equal(percentText(Number.NaN), '–');
});

test('durations have the largest suitable unit', () => {
  assert.equal(durationText(0.42), '420 µs');
  assert.equal(durationText(2.345), '2.3 ms');
  assert.equal(durationText(87.6), '88 ms');
  assert.equal(durationText(1500), '1.5 s');
  assert.equal(durationText(120_000), '2 minutes');
  assert.equal(spanText(90_000_000), '1 day');
});

test('relative times are shown for the past and the future', () => {
  assert.equal(agoText(before(0), NOW), 'just now');
  assert.equal(agoText(before(61_000), NOW), '1 minute ago');
  assert.equal(agoText(before(-7_200_000), NOW), 'in 2 hours');
});
