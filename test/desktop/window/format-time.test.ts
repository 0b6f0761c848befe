import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTime } from '../../../apps/desktop/src/window/format-time.ts';

const NOW = new Date(2026, 10, 21, 18, 0);
const at = (...[day, hour, minute]: [number, number, number]) =>
  formatTime(new Date(2026, 10, day, hour, minute).toISOString(), NOW);

test('a time of today has no date; one of another day has', () => {
  assert.match(at(21, 14, 3), /^0?2:03\sPM$|^14:03$/);
  assert.match(at(20, 14, 3), /\b20\b.*(?:2:03\sPM|14:03)$/);
});
