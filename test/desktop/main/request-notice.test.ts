import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExceptionRecord, ToolRequestRecord } from '@csg/shared/contract';
import { requestNotice } from '../../../apps/desktop/src/main/request-notice.ts';

const COMMON = {
  device_id: 'dev_1',
  requested_by: 'dev_1',
  decided_by: 'usr_1',
  decided_at: '2026-01-01T10:00:00Z',
  decision_reason: 'Fine for today.',
  created_at: '2026-01-01T09:00:00Z',
  justification: null,
};
const EXCEPTION: ExceptionRecord = {
  ...COMMON,
  id: 'exc_1',
  status: 'approved',
  destination_host: 'chatgpt.com',
  policy_id: null,
  threat: null,
  reason_category: null,
  requested_minutes: 60,
  starts_at: '2026-01-01T10:00:00Z',
  expires_at: '2026-01-01T11:00:00Z',
};
const TOOL: ToolRequestRecord = {
  ...COMMON,
  id: 'treq_1',
  status: 'approved',
  requested_host: 'grok.com',
  requested_name: null,
};

test('approved, denied, expired: with the reason of the approver', () => {
  const approved = requestNotice(EXCEPTION);
  assert.equal(approved?.title, 'Approved: chatgpt.com');
  assert.match(approved?.body ?? '', /^Approved until .*\d\d.* "Fine for today\."$/);
  assert.equal(requestNotice(TOOL)?.body, 'You can use it now. "Fine for today."');
  const denied = requestNotice({ ...TOOL, status: 'denied', decision_reason: null });
  assert.deepEqual(
    [denied?.title, denied?.body],
    ['Denied: grok.com', 'Your administrator denied the request.'],
  );
  assert.equal(requestNotice({ ...EXCEPTION, status: 'expired' })?.title, 'Expired: chatgpt.com');
});

test('the user’s own actions are not notified', () => {
  assert.equal(requestNotice({ ...EXCEPTION, status: 'pending' }), null);
  assert.equal(requestNotice({ ...TOOL, status: 'cancelled' }), null);
});
