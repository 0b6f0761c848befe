import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERMISSIONS } from '@csg/shared/contract';
import Fastify from 'fastify';
import {
  needsDevice,
  needsRole,
  needsScope,
  needsSession,
  openToAll,
  requireRouteAccess,
} from '../../../apps/cloud/src/plugins/route-access.ts';

test('a route that does not declare who may call it is rejected', () => {
  const app = Fastify();
  requireRouteAccess(app);
  app.get('/open', { config: openToAll() }, () => 'open');
  app.get('/closed', { config: needsScope('scan') }, () => 'closed');
  assert.throws(() => app.get('/forgotten', () => 'forgotten'), /GET \/forgotten does not define its access/);
});

test('the defaults are people’s keys alone and the general errors', () => {
  const { access } = needsScope('usage');
  assert.deepEqual(access, { auth: 'key', scope: 'usage', device: false, errors: 'general', isHeavy: false });
});

test('routes that read texts are heavy; those of devices’ reports, people and everything else are not', () => {
  const heavy = PERMISSIONS.filter((scope) => {
    const { access } = needsScope(scope);
    return access.auth === 'key' && access.isHeavy;
  });
  assert.deepEqual([...heavy].sort(), ['agent', 'proxy', 'scan', 'scrape']);
  for (const { access } of [needsDevice(), needsRole('viewer'), needsSession()]) {
    assert.equal('isHeavy' in access && access.isHeavy, false);
  }
});
