import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import { decideUnopened } from '../../../apps/desktop/src/inspect/decide-unopened.ts';
import { testPolicy } from '../../support/desktop/test-stack.ts';

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
    const facts = { host: 'chatgpt.com', why, process: null, nowMs: 7, newEventId: 'evt_1' };
    const action = decideUnopened(compilePolicy(policy), facts);
    assert.equal(action.kind, kind);
    const { event } = action;
    assert.deepEqual([event.decision, event.done, event.reason], [decision, done, 'no_certificate']);
    assert.deepEqual([event.eventId, event.atMs, event.host], ['evt_1', 7, 'chatgpt.com']);
    assert.match(event.note ?? '', /^The agent .*certificate/);
  });
}

test('an app that rejects the certificate is reported as tunneled or closed, in either mode', () => {
  for (const mode of ['enforce', 'monitor'] as const) {
    const compiled = compilePolicy(testPolicy({ mode }));
    const facts = { host: 'chatgpt.com', nowMs: 7, newEventId: 'evt_1' };
    const pinned = decideUnopened(compiled, { ...facts, why: 'pinned', process: '/bin/app' });
    assert.deepEqual(
      [pinned.kind, pinned.event.decision, pinned.event.done],
      ['tunnel', 'allow', 'forwarded'],
    );
    assert.match(pinned.event.note ?? '', /^\/bin\/app does not accept/);
    const closed = decideUnopened(compiled, { ...facts, why: 'closed', process: null });
    assert.deepEqual([closed.kind, closed.event.decision, closed.event.done], ['refuse', 'block', 'blocked']);
    assert.equal(closed.event.reason, 'pinned');
  }
});
