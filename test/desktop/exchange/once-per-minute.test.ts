import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oncePerMinute } from '../../../apps/desktop/src/exchange/once-per-minute.ts';
import { makeDecisionEvent } from '../../support/desktop/make-decision-event.ts';

const UNREAD = makeDecisionEvent({
  path: '/files',
  decision: 'allow',
  done: 'forwarded',
  threatType: null,
  confidence: 0,
  reason: 'unread',
  note: 'Allowed without being read: The body is not text.',
  findings: [],
});

test('uninspected content is reported once a minute for each place, everything else every time', () => {
  const reported: string[] = [];
  let nowMs = 0;
  const emit = oncePerMinute(
    (event) => reported.push(event.path),
    () => nowMs,
  );
  emit(UNREAD);
  emit(UNREAD);
  emit({ ...UNREAD, path: '/other' });
  nowMs = 60_000;
  emit(UNREAD);
  assert.deepEqual(reported, ['/files', '/other', '/files']);
  reported.length = 0;
  emit({ ...UNREAD, decision: 'block', done: 'blocked' });
  emit({ ...UNREAD, decision: 'redact' });
  emit({ ...UNREAD, reason: 'offline' });
  // A clock that was set back must not suppress reports for long.
  nowMs = -60_000;
  emit(UNREAD);
  assert.equal(reported.length, 4);
});

test('a host without a certificate is reported once a minute, however often its app retries', () => {
  const reported: string[] = [];
  let nowMs = 0;
  const emit = oncePerMinute(
    ({ host, done }) => reported.push(`${host} ${done}`),
    () => nowMs,
  );
  const refused = {
    ...UNREAD,
    path: '',
    decision: 'block',
    done: 'blocked',
    reason: 'no_certificate',
  } as const;
  for (let i = 0; i < 5; i++) emit({ ...refused, host: 'a.example' });
  emit({ ...refused, host: 'b.example' });
  emit({ ...refused, host: 'a.example', done: 'forwarded' });
  assert.deepEqual(reported, ['a.example blocked', 'b.example blocked', 'a.example forwarded']);
  nowMs = 60_000;
  emit({ ...refused, host: 'a.example' });
  assert.equal(reported.length, 4);
});
