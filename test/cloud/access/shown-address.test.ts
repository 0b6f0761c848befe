import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownAddress } from '../../../apps/cloud/src/access/shown-address.ts';

test('admins see the whole address, others where it leads', () => {
  const address = 'https://hooks.example.com:8443/services/T000/secret?token=x';
  for (const role of ['owner', 'admin'] as const) assert.equal(shownAddress(address, role), address);
  for (const role of ['member', 'viewer'] as const) {
    assert.equal(shownAddress(address, role), 'https://hooks.example.com:8443/…');
    assert.equal(shownAddress('https://hooks.example.com/', role), 'https://hooks.example.com');
    assert.equal(shownAddress('https://hooks.example.com/?token=x', role), 'https://hooks.example.com/…');
    assert.equal(shownAddress(null, role), null);
  }
});
