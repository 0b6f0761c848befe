import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactUrl } from '../../../apps/cloud/src/access/redact-url.ts';

test('shows owners and admins the whole URL, and other roles its origin only', () => {
  const address = 'https://hooks.example.com:8443/services/T000/secret?token=x';
  for (const role of ['owner', 'admin'] as const) assert.equal(redactUrl(address, role), address);
  for (const role of ['member', 'viewer'] as const) {
    assert.equal(redactUrl(address, role), 'https://hooks.example.com:8443/…');
    assert.equal(redactUrl('https://hooks.example.com/', role), 'https://hooks.example.com');
    assert.equal(redactUrl('https://hooks.example.com/?token=x', role), 'https://hooks.example.com/…');
    assert.equal(redactUrl(null, role), null);
  }
});
