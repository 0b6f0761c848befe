import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewProtection } from '../../../apps/desktop/src/bridge/protection-view.ts';

const HEALTHY = {
  enrolled: true,
  running: true,
  supervisor_state: 'quiet',
  revoked: false,
  problem: null,
  system_proxy: 'on',
  mode: 'enforce',
  account_name: 'Acme',
  service_reachable: true,
  needs_trust: false,
} as const;
type Part = Partial<Parameters<typeof viewProtection>[0]>;
const kindOf = (part: Part): string => viewProtection({ ...HEALTHY, ...part }).kind;

test('protected if all is well, also offline', () => {
  assert.deepEqual(viewProtection(HEALTHY), {
    kind: 'protected',
    title: 'Protected',
    sentence: 'Your messages to AI tools are checked for Acme.',
  });
  const offline = viewProtection({ ...HEALTHY, service_reachable: false });
  assert.equal(offline.kind, 'protected');
  assert.match(offline.sentence, /this computer decides on its own/);
});

test('while the proxy setting is left alone, only some programs are protected, even offline', () => {
  for (const service_reachable of [true, false]) {
    const view = viewProtection({ ...HEALTHY, system_proxy: 'off', service_reachable });
    assert.deepEqual([view.kind, view.title, view.canRetry], ['attention', 'Some programs only', false]);
    assert.match(view.sentence, /only programs started with "agent env" are protected/);
  }
});

test('never shows protection that does not exist', () => {
  const unprotected: Part[] = [
    { enrolled: false },
    { running: false, supervisor_state: 'stopped', problem: 'The agent does not run.' },
    { revoked: true, problem: 'Revoked.' },
    { supervisor_state: 'gave_up', problem: 'The proxy keeps failing.' },
    { system_proxy: 'not_set', needs_trust: true, problem: 'Run ca install.' },
    { system_proxy: 'not_set', problem: 'The certificate is not trusted.' },
  ];
  for (const part of unprotected) assert.equal(kindOf(part), 'unprotected', JSON.stringify(part));
  assert.equal(
    kindOf({ mode: 'monitor', revoked: true }),
    'unprotected',
    'monitor mode hides no worse state',
  );
});

test('starting, problems and monitor mode are distinct, each with its own message', () => {
  assert.equal(kindOf({ supervisor_state: 'retrying' }), 'attention');
  assert.equal(kindOf({ problem: 'The disk is full.' }), 'attention');
  assert.equal(kindOf({ mode: 'monitor' }), 'paused');
  const gaveUp = viewProtection({
    ...HEALTHY,
    supervisor_state: 'gave_up',
    problem: 'The proxy keeps failing.',
  });
  assert.equal(
    gaveUp.sentence,
    'The proxy keeps failing. Your network works normally. Your administrator has been notified.',
  );
});
