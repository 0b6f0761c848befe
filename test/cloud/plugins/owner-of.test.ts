import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { ownerOf } from '../../../apps/cloud/src/plugins/owner-of.ts';

const request = (parts: object) =>
  ({ principal: null, signedIn: null, directory: null, ...parts }) as unknown as FastifyRequest;

test('a request belongs to its organization, and to its device if a device sends it', () => {
  const principal = { organizationId: 'org_1', deviceId: 'dev_1' };
  const { organizationId, deviceId } = ownerOf(request({ principal }));
  assert.deepEqual({ organizationId, deviceId }, principal);
  const membership = { organizationId: 'org_2' };
  assert.deepEqual(ownerOf(request({ signedIn: { membership } })), {
    organizationId: 'org_2',
    deviceId: null,
  });
  assert.deepEqual(ownerOf(request({ directory: { organizationId: 'org_3' } })), {
    organizationId: 'org_3',
    deviceId: null,
  });
  assert.deepEqual(ownerOf(request({ signedIn: { membership: null } })), {
    organizationId: '',
    deviceId: null,
  });
});
