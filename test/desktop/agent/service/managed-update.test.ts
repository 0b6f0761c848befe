import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedPolicy } from '@csg/shared/contract';
import { requestedUpdate } from '../../../../apps/desktop/src/agent/service/managed-update.ts';

const policy = (part: Partial<ManagedPolicy>): ManagedPolicy => ({
  fleet: null,
  force_update_mode: 'notify',
  pinned_channel: null,
  min_version_override: '1.10.0',
  ...part,
});

test('an older version is asked or required to update, comparing versions as numbers', () => {
  assert.equal(requestedUpdate(policy({}), '1.9.9')?.isRequired, false);
  assert.equal(requestedUpdate(policy({ force_update_mode: 'force' }), '1.9.9')?.isRequired, true);
  assert.equal(requestedUpdate(policy({}), '1.10.0'), null);
  assert.notEqual(requestedUpdate(policy({}), '1.10.0-beta.1'), null);
  assert.match(
    requestedUpdate(policy({ pinned_channel: 'beta' }), '1.0.0')?.sentence ?? '',
    /the channel "beta"/,
  );
});

test('requires no update if disabled or without a valid minimum version', () => {
  assert.equal(requestedUpdate(null, '0.1.0'), null);
  assert.equal(requestedUpdate(policy({ force_update_mode: 'off' }), '0.1.0'), null);
  assert.equal(requestedUpdate(policy({ min_version_override: null }), '0.1.0'), null);
  assert.equal(requestedUpdate(policy({ min_version_override: 'the newest' }), '0.1.0'), null);
});
