import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shortTarget } from '../../../apps/cloud/src/plugins/broken-requests.ts';

// The tests with malformed bytes on sockets are in test/e2e/hostile-http.test.ts.
describe('shortTarget', () => {
  it('takes the path out of the absolute form, and leaves every other form as it is', () => {
    for (const [sent, read] of [
      ['/api/v1/health?x=1', '/api/v1/health?x=1'],
      ['http://a.test/api/v1/health?x=1', '/api/v1/health?x=1'],
      ['HTTPS://a.test:443/', '/'],
      ['http://a.test?x=1', '/?x=1'],
      ['http://a.test//x', '//x'],
      ['http:///x', 'http:///x'],
      ['http://a.test', 'http://a.test'],
      ['ftp://a.test/x', 'ftp://a.test/x'],
      ['*', '*'],
      ['', ''],
    ] as const) {
      assert.equal(shortTarget(sent), read);
    }
  });
});
