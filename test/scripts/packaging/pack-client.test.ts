import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { packClient } from '../../../scripts/packaging/pack-client.ts';
import { findTool } from '../../../scripts/system-tools.ts';
import { startGateway } from '../../support/gateway.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const run = promisify(execFile);
const COMPILER = path.resolve(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
const executablePath = findTool('pageBrowser');
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
  const pages = createServer(servePage).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const gateway = await startGateway({ env: { CORS_ORIGINS: origin } });
  after(async () => {
    pages.close();
    await gateway.close();
  });
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
  // The project's Node, and the computer's if only Node 20 is installed there.
  for (const node of [process.execPath, 'node']) {
    const { stdout } = await run(node, ['main.js'], { cwd: project, env });
    assert.equal(stdout, 'redact\ninvalid_api_key\n', node);
  }

  const compiledProgram = readFileSync(path.join(project, 'main.js'), 'utf8');
  if (executablePath !== undefined) {
    const shown = await runInBrowser(`${origin}/`, compiledProgram, env);
    assert.deepEqual(shown, ['redact', 'invalid_api_key']);
  }

  /** The packages of the project, and a page that finds them by an import map. */
  function servePage({ url = '' }: IncomingMessage, response: ServerResponse): void {
    if (url === '/') return void response.setHeader('content-type', 'text/html').end(PAGE);
    response.setHeader('content-type', 'text/javascript');
    response.end(readFileSync(path.join(project, 'node_modules', url)));
  }
});

/** The test needs no Node types for two members. */
const PROCESS = `declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
`;

const PAGE = `<link rel="icon" href="data:,"><script type="importmap">{"imports": {
  "@csg/client": "/@csg/client/dist/index.js",
  "openapi-fetch": "/openapi-fetch/dist/index.mjs"
}}</script>`;

/** The output of the program in a browser. */
async function runInBrowser(
  address: string,
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const lines: string[] = [];
    page.on('console', (message) => message.type() === 'log' && lines.push(message.text()));
    await page.goto(address);
    const content = `globalThis.process = ${JSON.stringify({ env })};\n${program}\nglobalThis.isDone = true;`;
    await page.addScriptTag({ type: 'module', content });
    await page.waitForFunction('globalThis.isDone');
    return lines;
  } finally {
    await browser.close();
  }
}
