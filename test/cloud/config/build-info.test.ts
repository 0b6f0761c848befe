import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBuildInfo } from '../../../apps/cloud/src/config/build-info.ts';

test('the release’s number, and the commit that it was given or is a clone of', () => {
  const info = readBuildInfo('0123abc');
  assert.match(info.version, /^\d+\.\d+\.\d+$/);
  assert.equal(info.commit, '0123abc');
  // A packed clone and a release without one have none to tell.
  assert.match(readBuildInfo(undefined).commit ?? 'none', /^(?:[0-9a-f]{40,64}|none)$/);
});
