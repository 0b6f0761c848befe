import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinks } from '../../../apps/cloud/src/flows/links.ts';

test('links follow the current address of the service', () => {
  let base = 'http://127.0.0.1:0';
  const links = createLinks(() => base);
  base = 'https://gateway.example.com';
  assert.equal(links.event('evt_1'), 'https://gateway.example.com/dashboard/events/evt_1');
  assert.equal(links.plan(), 'https://gateway.example.com/dashboard/plan');
  assert.equal(links.onDemand(), 'https://gateway.example.com/dashboard/plan#on-demand');
  assert.equal(links.scim(), 'https://gateway.example.com/scim/v2');
  assert.equal(links.page('members'), 'https://gateway.example.com/dashboard/members');
  assert.equal(
    links.oneTime('invitation', 'abc'),
    'https://gateway.example.com/dashboard/invitation#token=abc',
  );
});
