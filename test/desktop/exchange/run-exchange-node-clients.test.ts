/** Header names as tools write them; scripts/lab/test/desktop-clients tries the tools themselves. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { curl, noCurl } from '../../support/desktop/curl.ts';
import { startTestStack } from '../../support/desktop/test-stack.ts';

const stand = await startTestStack();
after(() => stand.close());

test('accepts headers in every spelling, for an inspected host and a plain one', {
  skip: noCurl,
}, async () => {
  for (const name of ['content-length', 'Content-Length', 'CONTENT-LENGTH', 'cOnTeNt-lEnGtH']) {
    const args = ['--http1.1', '-H', `${name}: 2`, '-H', 'content-type: application/json', '-d', '{}'];
    const opened = await curl(stand.proxy.port, stand.device.root.pem, [
      ...args,
      'https://api.openai.com/v1/models',
    ]);
    assert.deepEqual([opened.code, opened.status], [0, 200], opened.stdout);
    assert.ok(stand.testProvider.requests.at(-1)?.rawHeaders.includes(name));
    const plain = await curl(stand.proxy.port, stand.device.root.pem, [...args, 'http://bank.example/x']);
    assert.equal(stand.company.asked.at(-1), 'POST http://bank.example/x');
    assert.match(plain.stdout, /bank\.example could not be reached|^$/);
    assert.equal(plain.stdout.includes('TypeError'), false, plain.stdout);
  }
});
