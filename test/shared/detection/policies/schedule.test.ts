import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from '@csg/shared/contract';
import { compileSchedule, isTimeZone } from '../../../../shared/detection/policies/schedule.ts';

const at = (iso: string) => Date.parse(iso);
const isWithin = (schedule: Schedule, atMs: number) => compileSchedule(schedule)(atMs);
const work: Schedule = {
  time_zone: 'Europe/Berlin',
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '18:00' }],
};

test('a window includes its first minute and excludes its last, in its time zone', () => {
  // 2026-11-20 is a Friday; Berlin is an hour ahead of UTC in winter.
  assert.equal(isWithin(work, at('2026-11-20T06:59:59Z')), false);
  assert.equal(isWithin(work, at('2026-11-20T07:00:00Z')), true);
  assert.equal(isWithin(work, at('2026-11-20T16:59:59Z')), true);
  assert.equal(isWithin(work, at('2026-11-20T17:00:00Z')), false);
  assert.equal(isWithin(work, at('2026-11-21T12:00:00Z')), false, 'a Saturday');
  assert.equal(isWithin(work, at('2026-07-17T06:00:00Z')), true, 'two hours ahead in summer');
});

test('a window past midnight belongs to the day on which it began', () => {
  const night: Schedule = { time_zone: 'UTC', windows: [{ days: ['fri'], from: '22:00', to: '06:00' }] };
  assert.equal(isWithin(night, at('2026-11-20T21:59:00Z')), false);
  assert.equal(isWithin(night, at('2026-11-20T22:00:00Z')), true);
  assert.equal(isWithin(night, at('2026-11-21T05:59:00Z')), true, 'the Saturday morning after');
  assert.equal(isWithin(night, at('2026-11-20T05:59:00Z')), false, 'the Friday morning before');
  const week: Schedule = { time_zone: 'UTC', windows: [{ days: ['sun'], from: '00:00', to: '00:00' }] };
  assert.equal(
    isWithin(week, at('2026-11-22T23:59:00Z')),
    true,
    'from midnight to midnight is the whole day',
  );
  assert.equal(isWithin(week, at('2026-11-23T00:00:00Z')), false);
});

test('any of several windows suffices; an unknown time zone never matches', () => {
  const two: Schedule = {
    time_zone: 'UTC',
    windows: [
      { days: ['sat'], from: '10:00', to: '11:00' },
      { days: ['fri'], from: '10:00', to: '11:00' },
    ],
  };
  assert.equal(isWithin(two, at('2026-11-20T10:30:00Z')), true);
  assert.equal(isWithin({ ...two, time_zone: 'Mars/Olympus' }, at('2026-11-20T10:30:00Z')), false);
  assert.equal(isTimeZone('America/New_York'), true);
  assert.equal(isTimeZone('Mars/Olympus'), false);
});
