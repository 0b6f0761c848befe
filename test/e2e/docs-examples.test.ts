import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { runCommand } from '../support/run-command.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const EXAMPLES = path.join(ROOT, 'docs/examples');

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.close());

for (const name of readdirSync(EXAMPLES)) {
  test(`docs/examples/${name} shows a blocked prompt, with the environment its first line names`, async () => {
    const { stdout, stderr, code } = await runCommand(process.execPath, [path.join(EXAMPLES, name)], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        SERVICE_KEY: gateway.key,
        GATEWAY_URL: gateway.address,
        // Set on many machines; the package would send it where the service key belongs.
        ANTHROPIC_API_KEY: 'sk-ant-of-this-machine',
      },
    }).ended;
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    assert.match(
      stdout,
      /^403 request_blocked\nThis request was blocked by the content security policy\..+\nevt_\w+ \w+\n$/,
    );
  });
}
