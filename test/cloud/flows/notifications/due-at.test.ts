import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueAt, isTimeZone } from '../../../../apps/cloud/src/flows/notifications/due-at.ts';

const at = (text: string) => Date.parse(text);
const due = (nowText: string, target: Partial<Parameters<typeof dueAt>[0]>) =>
  new Date(dueAt({ digest: null, quietHours: null, ...target }, at(nowText))).toISOString();

test('a notification without preferences is due immediately', () => {
  assert.equal(due('2026-11-23T12:34:56.000Z', {}), '2026-11-23T12:34:56.000Z');
});

test('a digest waits for its hour or day', () => {
  assert.equal(due('2026-11-23T12:34:56.000Z', { digest: 'hourly' }), '2026-11-23T13:00:00.000Z');
  assert.equal(due('2026-11-23T07:59:00.000Z', { digest: 'daily' }), '2026-11-23T08:00:00.000Z');
  assert.equal(due('2026-11-23T08:00:00.000Z', { digest: 'daily' }), '2026-11-24T08:00:00.000Z');
});

test('quiet hours follow the time zone that they name, also over midnight', () => {
  const night = { from: '22:00', to: '07:00' };
  assert.equal(due('2026-11-23T23:10:30.000Z', { quietHours: night }), '2026-11-24T07:00:00.000Z');
  assert.equal(due('2026-11-23T06:59:59.000Z', { quietHours: night }), '2026-11-23T07:00:00.000Z');
  assert.equal(due('2026-11-23T07:00:00.000Z', { quietHours: night }), '2026-11-23T07:00:00.000Z');
  const berlin = { ...night, time_zone: 'Europe/Berlin' };
  assert.equal(due('2026-11-23T21:30:00.000Z', { quietHours: berlin }), '2026-11-24T06:00:00.000Z');
  const lunch = { from: '12:00', to: '13:00' };
  assert.equal(due('2026-11-23T12:30:00.000Z', { quietHours: lunch }), '2026-11-23T13:00:00.000Z');
  assert.equal(due('2026-11-23T13:30:00.000Z', { quietHours: lunch }), '2026-11-23T13:30:00.000Z');
  const none = { from: '12:00', to: '12:00' };
  assert.equal(due('2026-11-23T12:00:00.000Z', { quietHours: none }), '2026-11-23T12:00:00.000Z');
});

test('time zones are those of the IANA list', () => {
  assert.equal(isTimeZone('Europe/Berlin'), true);
  assert.equal(isTimeZone('Nowhere/City'), false);
});
