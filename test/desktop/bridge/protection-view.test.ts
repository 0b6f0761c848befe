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

test('calm when all is well, also on a plane and where the setting is left alone by order', () => {
  assert.deepEqual(viewProtection(HEALTHY), {
    kind: 'protected',
    title: 'Protected',
    sentence: 'What you send to AI tools is checked for Acme.',
  });
  assert.equal(kindOf({ system_proxy: 'off' }), 'protected');
  const offline = viewProtection({ ...HEALTHY, service_reachable: false });
  assert.equal(offline.kind, 'protected');
  assert.match(offline.sentence, /this computer decides by itself/);
});

test('nobody is told of protection that is not there', () => {
  const unprotected: Part[] = [
    { enrolled: false },
    { running: false, supervisor_state: 'stopped', problem: 'The agent does not run.' },
    { revoked: true, problem: 'Revoked.' },
    { supervisor_state: 'gave_up', problem: 'The proxy keeps failing.' },
    { system_proxy: 'not_set', needs_trust: true, problem: 'Run ca install.' },
    { system_proxy: 'not_set', problem: 'The certificate is not trusted.' },
  ];
  for (const part of unprotected) assert.equal(kindOf(part), 'unprotected', JSON.stringify(part));
  assert.equal(kindOf({ mode: 'monitor', revoked: true }), 'unprotected', 'a pause hides nothing worse');
});

test('what is on its way, wrong or paused is told apart, each with its own sentence', () => {
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
    'The proxy keeps failing. Your network works normally. Your administrator has been told.',
  );
});
