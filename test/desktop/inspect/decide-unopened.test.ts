import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import { decideUnopened } from '../../../apps/desktop/src/inspect/decide-unopened.ts';
import { testPolicy } from '../../support/desktop/stand.ts';

for (const [mode, failClosed, blocked, why, kind, decision, done] of [
  ['enforce', false, false, 'late', 'refuse', 'block', 'blocked'],
  ['enforce', true, false, 'late', 'refuse', 'block', 'blocked'],
  ['monitor', false, false, 'late', 'tunnel', 'block', 'forwarded'],
  ['monitor', true, false, 'late', 'tunnel', 'block', 'forwarded'],
  ['enforce', false, false, 'refused', 'tunnel', 'allow', 'forwarded'],
  ['enforce', true, false, 'refused', 'refuse', 'block', 'blocked'],
  ['enforce', false, true, 'refused', 'refuse', 'block', 'blocked'],
  ['monitor', true, true, 'refused', 'tunnel', 'block', 'forwarded'],
] as const) {
  test(`${mode}, fail ${failClosed ? 'closed' : 'open'}${blocked ? ', a blocked tool' : ''}, ${why}: ${kind}`, () => {
    const policy = testPolicy({ mode, failClosed, blockedTools: blocked ? ['chatgpt.com'] : [] });
    const facts = { host: 'chatgpt.com', why, nowMs: 7, newEventId: 'evt_1' };
    const action = decideUnopened(compilePolicy(policy), facts);
    assert.equal(action.kind, kind);
    const { event } = action;
    assert.deepEqual([event.decision, event.done, event.reason], [decision, done, 'no_certificate']);
    assert.deepEqual([event.eventId, event.atMs, event.host], ['evt_1', 7, 'chatgpt.com']);
    assert.match(event.note ?? '', /^The agent .*certificate/);
  });
}
