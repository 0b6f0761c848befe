import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDecisionNotices } from '../../../apps/desktop/src/main/decision-notices.ts';

const BLOCK = {
  event_id: 'evt_1',
  at: '2026-01-01T10:00:00.000Z',
  host: 'chatgpt.com',
  direction: 'input',
  decision: 'block',
  done: 'blocked',
  decided_by: 'cloud',
  threat_type: 'pii_leak',
  reason: null,
  why: 'it contains personal data',
};

test('a block is notified with two actions; allowed and redacted messages are not', () => {
  const noticeOf = createDecisionNotices(() => 0);
  assert.deepEqual(noticeOf(BLOCK), {
    title: 'Your message to chatgpt.com was blocked',
    body: 'Personal data. Remove it or request an exception.',
    page: '#/decisions/evt_1',
    actions: [
      { text: 'Request exception', page: '#/requests/new?event=evt_1' },
      { text: 'Details', page: '#/decisions/evt_1' },
    ],
  });
  assert.equal(noticeOf({ ...BLOCK, done: 'redacted', host: 'a.example' }), null);
  assert.equal(noticeOf({ ...BLOCK, done: 'forwarded', host: 'b.example' }), null);
});

test('an app that retries is notified once per interval, another host or threat immediately', () => {
  let nowMs = 0;
  const noticeOf = createDecisionNotices(() => nowMs);
  assert.notEqual(noticeOf(BLOCK), null);
  nowMs = 14_000;
  assert.equal(noticeOf(BLOCK), null);
  assert.notEqual(noticeOf({ ...BLOCK, host: 'claude.ai' }), null);
  assert.notEqual(noticeOf({ ...BLOCK, threat_type: 'secret_leak' }), null);
  nowMs = 15_000;
  assert.notEqual(noticeOf(BLOCK), null);
});

test('a blocked tool is requested as a tool', () => {
  const notice = createDecisionNotices(() => 0)({
    ...BLOCK,
    threat_type: 'custom_policy',
    reason: 'blocked_tool',
  });
  assert.equal(notice?.body, 'Your organization does not allow this tool. You can request it.');
  assert.deepEqual(notice?.actions[0], {
    text: 'Request this tool',
    page: '#/requests/new?kind=tool&event=evt_1',
  });
});

test('for what cannot be read no exception is offered', () => {
  const notice = createDecisionNotices(() => 0)({ ...BLOCK, reason: 'unread' });
  assert.deepEqual(
    notice?.actions.map(({ text }) => text),
    ['Details'],
  );
  assert.doesNotMatch(notice?.body ?? '', /exception/);
});
