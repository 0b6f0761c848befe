import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBrowser } from '../../../../apps/cloud/src/scrape/render/find-browser.ts';

test('finds the configured program, else one in the search path, else none', () => {
  assert.equal(findBrowser(process.execPath, ''), process.execPath);
  assert.equal(
    findBrowser('/nowhere/chromium', process.env['PATH'] ?? ''),
    null,
    'a wrong setting is not replaced',
  );
  assert.equal(findBrowser(undefined, '/nowhere:/neither'), null);
});
