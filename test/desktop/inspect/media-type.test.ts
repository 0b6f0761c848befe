import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOpaque, mediaType } from '../../../apps/desktop/src/inspect/media-type.ts';

test('images and audio are opaque, documents are not', () => {
  assert.ok(isOpaque('image/png'));
  assert.ok(isOpaque(' Audio/MP4; codecs=1'));
  assert.ok(!isOpaque('application/pdf'));
  assert.ok(!isOpaque(''));
  assert.equal(mediaType('Application/JSON; charset=utf-8'), 'application/json');
});
