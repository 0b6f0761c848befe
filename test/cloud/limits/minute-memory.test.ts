import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMinuteMemory } from '../../../apps/cloud/src/limits/minute-memory.ts';
import { createManualClock } from '../../support/clock.ts';

const MINUTE_MS = 60_000;

test('remembers what was reported and what is owed in a minute, until it is over', () => {
  const clock = createManualClock();
  const memory = createMinuteMemory(clock.now);
  const { minute } = memory.read('one');
  memory.see('one', minute, 7);
  memory.see('one', minute, 5);
  memory.owe('one', minute, 2);
  assert.deepEqual(memory.read('one'), { minute, seen: 7, owed: 2 });
  assert.deepEqual(memory.read('two'), { minute, seen: 0, owed: 0 });
  memory.settle('one', minute, 2);
  assert.deepEqual(memory.read('one'), { minute, seen: 7, owed: 0 });
  clock.advance(MINUTE_MS);
  assert.deepEqual(memory.read('one'), { minute: minute + 1, seen: 0, owed: 0 });
  memory.see('one', minute, 9);
  memory.owe('one', minute, 9);
  assert.deepEqual(memory.read('one'), { minute: minute + 1, seen: 0, owed: 0 }, 'a past minute stays past');
});

test('follows a counter ahead of its own clock, and reopens nothing when the clock is set back', () => {
  const clock = createManualClock();
  const memory = createMinuteMemory(clock.now);
  const { minute } = memory.read('one');
  memory.see('one', minute + 1, 3);
  assert.deepEqual(memory.read('one'), { minute: minute + 1, seen: 3, owed: 0 });
  clock.advance(-5 * MINUTE_MS);
  assert.deepEqual(memory.read('one'), { minute: minute + 1, seen: 3, owed: 0 });
});
