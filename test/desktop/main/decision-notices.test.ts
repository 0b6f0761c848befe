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

test('a block is told with two ways on; what was let through or masked is not', () => {
  const noticeOf = createDecisionNotices(() => 0);
  assert.deepEqual(noticeOf(BLOCK), {
    title: 'Your message to chatgpt.com was stopped',
    body: 'Personal data. Remove it, or ask for an exception.',
    page: '#/decisions/evt_1',
    actions: [
      { text: 'Request exception', page: '#/requests/new?event=evt_1' },
      { text: 'Why?', page: '#/decisions/evt_1' },
    ],
  });
  assert.equal(noticeOf({ ...BLOCK, done: 'redacted', host: 'a.example' }), null);
  assert.equal(noticeOf({ ...BLOCK, done: 'forwarded', host: 'b.example' }), null);
});

test('an app that tries again and again is told of once in a while, another place or kind at once', () => {
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

test('a tool that is not allowed here is asked for as a tool', () => {
  const notice = createDecisionNotices(() => 0)({
    ...BLOCK,
    threat_type: 'custom_policy',
    reason: 'blocked_tool',
  });
  assert.equal(notice?.body, 'Your organization does not allow this tool here. You can ask for it.');
  assert.deepEqual(notice?.actions[0], {
    text: 'Ask for this tool',
    page: '#/requests/new?kind=tool&event=evt_1',
  });
});
