import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseAmount,
  parseCount,
  parseDuration,
  parseMoment,
  parsePermissions,
  parsePlan,
  parsePositive,
} from '../../../apps/cloud/src/commands/parse-option.ts';

test('parses durations and rejects other text with examples', () => {
  assert.equal(parseDuration('90s'), 90_000);
  assert.equal(parseDuration('24h'), 86_400_000);
  assert.throws(() => parseDuration('soon'), /such as 30m, 24h or 7d/);
});

test('parses a moment as a time or as a duration from now', () => {
  assert.equal(parseMoment('2027-01-31T00:00:00Z'), Date.UTC(2027, 0, 31));
  const beganMs = Date.now();
  const inAnHourMs = parseMoment('1h') - 3_600_000;
  assert.ok(inAnHourMs >= beganMs && inAnHourMs <= Date.now());
  assert.throws(() => parseMoment('someday'), /Enter a time/);
});

test('parses plans and permissions, and names the valid ones in its errors', () => {
  assert.equal(parsePlan('Pro'), 'pro');
  assert.throws(() => parsePlan('gold'), /free, pro, scale, enterprise/);
  assert.deepEqual(parsePermissions('scan, proxy,'), ['scan', 'proxy']);
  assert.throws(() => parsePermissions('scan,root'), /Enter one or more of proxy/);
});

test('parses counts and amounts, and rejects numbers that are out of range', () => {
  assert.equal(parseCount('0'), 0);
  assert.throws(() => parsePositive('0'), /at least 1/);
  assert.throws(() => parseCount('-1'), /whole number/);
  assert.equal(parseAmount('12.5'), 12.5);
  assert.throws(() => parseAmount(''), /US dollars/);
});
