import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseRoute } from '../../../apps/desktop/src/inspect/choose-route.ts';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import { testPolicy } from '../../support/desktop/stand.ts';

const part = { hosts: ['*.ai.example'], bypassHosts: ['free.ai.example'], blockedTools: ['shut.example'] };
const open = compilePolicy(testPolicy(part));
const closed = compilePolicy(testPolicy({ ...part, failClosed: true }));

test('only hosts the policy names are opened, never those it leaves out', () => {
  assert.deepEqual(chooseRoute(open, 'x.ai.example', false), { kind: 'open' });
  assert.deepEqual(chooseRoute(open, 'bank.example', false), { kind: 'tunnel', because: 'not_ai' });
  assert.deepEqual(chooseRoute(open, 'free.ai.example', false), { kind: 'tunnel', because: 'bypassed' });
  assert.deepEqual(chooseRoute(open, 'shut.example', true), { kind: 'open' });
});

test('an app that pins is tunnelled, but not where failing means closed', () => {
  assert.deepEqual(chooseRoute(open, 'x.ai.example', true), { kind: 'tunnel', because: 'pinned' });
  assert.deepEqual(chooseRoute(closed, 'x.ai.example', true), { kind: 'open' });
});
