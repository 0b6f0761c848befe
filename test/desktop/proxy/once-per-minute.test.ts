import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DecisionEvent } from '../../../apps/desktop/src/inspect/decision-event.ts';
import { oncePerMinute } from '../../../apps/desktop/src/proxy/once-per-minute.ts';

const UNREAD: DecisionEvent = {
  eventId: 'evt_1',
  atMs: 0,
  host: 'chatgpt.com',
  path: '/files',
  method: 'POST',
  direction: 'input',
  decision: 'allow',
  done: 'forwarded',
  decidedBy: 'device',
  threatType: null,
  confidence: 0,
  reason: 'unread',
  note: 'Passed without being read: The body is no text.',
  policyVersion: 'pv_1',
  findings: [],
  exceptionId: null,
};

test('what passed unread is told once a minute for each place, everything else every time', () => {
  const told: string[] = [];
  let nowMs = 0;
  const emit = oncePerMinute(
    (event) => told.push(event.path),
    () => nowMs,
  );
  emit(UNREAD);
  emit(UNREAD);
  emit({ ...UNREAD, path: '/other' });
  nowMs = 60_000;
  emit(UNREAD);
  assert.deepEqual(told, ['/files', '/other', '/files']);
  told.length = 0;
  emit({ ...UNREAD, decision: 'block', done: 'blocked' });
  emit({ ...UNREAD, decision: 'redact' });
  emit({ ...UNREAD, reason: 'offline' });
  // A clock that was set back must not silence anything for long.
  nowMs = -60_000;
  emit(UNREAD);
  assert.equal(told.length, 4);
});
