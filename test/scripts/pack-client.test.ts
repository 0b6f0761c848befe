import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { packClient } from '../../scripts/pack-client.ts';
import { startGateway } from '../support/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const COMPILER = path.resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
const PROGRAM = `import { createGatewayClient, GatewayError, type GuardResponse } from '@csg/client';

const baseUrl: string = process.env['GATEWAY_URL'] ?? '';
const gateway = createGatewayClient({ baseUrl, apiKey: process.env['SERVICE_KEY'] ?? '' });
const { data } = await gateway.POST('/api/v1/guard', {
  body: { messages: [{ role: 'user', content: 'My card is 4111 1111 1111 1111.' }] },
});
const guarded: GuardResponse | undefined = data;
console.log(guarded?.decision);
try {
  await createGatewayClient({ baseUrl, apiKey: 'svc_live_wrong' }).GET('/api/v1/projects');
} catch (error) {
  console.log(error instanceof GatewayError && error.code);
}
`;

test('the packed client installs into an empty project, compiles and runs there', async () => {
  const gateway = await startGateway();
  after(() => gateway.close());
  const project = tempFolder('client-project');
  const file = await packClient(path.join(project, 'packed'));
  writeFileSync(path.join(project, 'package.json'), '{"private":true,"type":"module"}');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await run('npm', ['install', file, ...quiet], { cwd: project });

  writeFileSync(path.join(project, 'declarations.d.ts'), PROCESS);
  writeFileSync(path.join(project, 'main.ts'), PROGRAM);
  const options = [
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
    '--types',
    '',
  ];
  const compiled = await run(
    process.execPath,
    [COMPILER, 'main.ts', 'declarations.d.ts', ...options, '--ignoreConfig'],
    { cwd: project },
  ).catch((error: { stdout: string }) => assert.fail(error.stdout));
  assert.equal(compiled.stdout, '');
  const env = { PATH: process.env['PATH'], GATEWAY_URL: gateway.address, SERVICE_KEY: gateway.key };
  const { stdout } = await run(process.execPath, ['main.js'], { cwd: project, env });
  assert.equal(stdout, 'redact\ninvalid_api_key\n');

  // Browsers have no module of Node.
  const folder = path.join(project, 'node_modules/@csg/client/dist');
  for (const name of readdirSync(folder)) {
    assert.doesNotMatch(readFileSync(path.join(folder, name), 'utf8'), /from ['"]node:|\brequire\(|\.ts['"]/);
  }
});

/** The test needs no types of Node for two members. */
const PROCESS = `declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
`;
