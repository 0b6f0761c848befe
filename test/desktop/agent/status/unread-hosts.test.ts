import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUnreadHosts, unreadSentence } from '../../../../apps/desktop/src/agent/status/unread-hosts.ts';
import { makeDecisionEvent } from '../../../support/desktop/make-decision-event.ts';

const clock = { ms: 1_000_000 };
const unread = createUnreadHosts(() => clock.ms);
const host = 'chatgpt.com';

test('a host is listed while its events arrive, and for a minute after the last one', () => {
  const late = makeDecisionEvent({ host, reason: 'no_certificate', done: 'blocked', note: 'Late.' });
  assert.equal(unread.record(makeDecisionEvent({ host })), false, 'a usual decision');
  assert.equal(unread.record(late), true);
  assert.equal(unread.record(late), false, 'known');
  clock.ms += 59_999;
  assert.equal(unread.record(late), false);
  clock.ms += 59_999;
  assert.deepEqual(unread.list().map(unreadSentence), ['chatgpt.com is not reachable for an app: Late.']);
  clock.ms += 1;
  assert.deepEqual(unread.list(), []);
  assert.equal(unread.record(late), true);
  clock.ms -= 10_000;
  assert.deepEqual(unread.list(), [], 'the clock was set back');
});

test('a pinned app is listed for the hour of its tunnel, and the list is bounded', () => {
  unread.record(makeDecisionEvent({ host, reason: 'pinned', done: 'forwarded', note: '/bin/app pins.' }));
  clock.ms += 3_599_999;
  assert.deepEqual(unread.list().map(unreadSentence), ['chatgpt.com is not inspected: /bin/app pins.']);
  clock.ms += 1;
  assert.deepEqual(unread.list(), []);
  for (let i = 0; i < 300; i++)
    unread.record(makeDecisionEvent({ host: `h${i}`, reason: 'pinned', done: 'forwarded' }));
  assert.equal(unread.list().length, 100);
});
