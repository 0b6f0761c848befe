import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseRoute, chooseTreatment } from '../../../apps/desktop/src/inspect/choose-route.ts';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import { testPolicy } from '../../support/desktop/test-stack.ts';

const part = { hosts: ['*.ai.example'], bypassHosts: ['free.ai.example'], blockedTools: ['shut.example'] };
const open = compilePolicy(testPolicy(part));
const closed = compilePolicy(testPolicy({ ...part, failClosed: true }));

test('opens only hosts of the policy, never bypassed ones', () => {
  assert.deepEqual(chooseRoute(open, 'x.ai.example', false), { kind: 'open' });
  assert.deepEqual(chooseRoute(open, 'bank.example', false), { kind: 'tunnel', because: 'not_ai' });
  assert.deepEqual(chooseRoute(open, 'free.ai.example', false), { kind: 'tunnel', because: 'bypassed' });
  assert.deepEqual(chooseRoute(open, 'shut.example', true), { kind: 'open' });
});

test('an app with pinned certificates is tunnelled, but not when failing closed', () => {
  assert.deepEqual(chooseRoute(open, 'x.ai.example', true), { kind: 'tunnel', because: 'pinned' });
  assert.deepEqual(chooseRoute(closed, 'x.ai.example', true), { kind: 'open' });
});

test('requests are evaluated at AI hosts and blocked tools, and pass everywhere else', () => {
  const treat = (
    host: string,
    part: { authority?: string; version?: '1.0' | '1.1'; contentType?: string } = {},
  ) => chooseTreatment(open, { host, authority: host, version: '1.1', contentType: '', ...part });
  assert.equal(treat('x.ai.example'), 'read');
  assert.equal(treat('shut.example'), 'read');
  assert.equal(treat('bank.example'), 'pass');
  assert.equal(treat('x.ai.example', { contentType: 'image/png' }), 'hold');
  assert.equal(treat('bank.example', { contentType: 'image/png' }), 'pass');
  assert.equal(treat('x.ai.example', { authority: 'X.AI.example.:443' }), 'read', 'in another spelling');
  assert.equal(treat('x.ai.example', { authority: 'bank.example' }), 'misdirected');
  assert.equal(treat('bank.example', { authority: 'x.ai.example' }), 'misdirected');
  assert.equal(treat('x.ai.example', { authority: '' }), 'misdirected');
  assert.equal(treat('x.ai.example', { authority: '', version: '1.0' }), 'read');
});
