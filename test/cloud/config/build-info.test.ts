import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBuildInfo } from '../../../apps/cloud/src/config/build-info.ts';

test('reports the version of the release, and the commit that was given or that the clone is at', () => {
  const info = readBuildInfo('0123abc');
  assert.match(info.version, /^\d+\.\d+\.\d+$/);
  assert.equal(info.commit, '0123abc');
  // A packed clone and a release without a commit report none.
  assert.match(readBuildInfo(undefined).commit ?? 'none', /^(?:[0-9a-f]{40,64}|none)$/);
});
