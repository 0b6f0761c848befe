import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageTarget } from '../../../apps/cloud/src/routes/dashboard-pages.ts';

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

const CASES = [
  {
    name: 'a browser goes to a page',
    target: '/dashboard/events/evt_1?x=1',
    accept: HTML,
    to: '/dashboard/',
  },
  { name: 'without the last slash', target: '/dashboard', accept: undefined, to: '/dashboard/' },
  { name: 'a script asks for data', target: '/dashboard/events', accept: 'application/json' },
  { name: 'nothing is said about the answer', target: '/dashboard/events', accept: undefined },
  { name: 'a file', target: '/dashboard/assets/index-1a2b.js', accept: HTML },
  { name: 'another part of the service', target: '/docs/', accept: HTML },
  { name: 'a name that only begins so', target: '/dashboards/x', accept: HTML },
] as const;

for (const { name, target, accept, ...rest } of CASES) {
  test(`pageTarget: ${name}`, () => {
    assert.equal(pageTarget(target, 'GET', accept), 'to' in rest ? rest.to : target);
  });
}

test('pageTarget: what changes something is never a page', () => {
  assert.equal(pageTarget('/dashboard/session', 'POST', HTML), '/dashboard/session');
});
