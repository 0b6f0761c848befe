import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { byLsof, createFindProcess } from '../../../apps/desktop/src/proxy/find-process.ts';
import { createRunCommand } from '../../../apps/desktop/src/trust/run-command.ts';
import type { RunCommand } from '../../../apps/desktop/src/trust/trust-store.ts';
import { missingTool } from '../../../scripts/system-tools.ts';

const run = createRunCommand(process.env);
const server = createServer();
let client: Socket;
let proxyPort: number;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxyPort = (server.address() as AddressInfo).port;
  client = connect(proxyPort, '127.0.0.1');
  await once(client, 'connect');
});
after(() => {
  client.destroy();
  server.close();
});

test('the real lsof and ps name the program at the other end, or null if nothing is connected', {
  skip: missingTool(['connections', 'processes']),
}, async () => {
  const own = (await run('ps', ['-p', String(process.pid), '-o', 'comm='])).stdout.trim();
  assert.equal(await byLsof(run)(client.localPort ?? 0, proxyPort), own);
  assert.equal(await byLsof(run)(client.localPort ?? 0, 1), null);
});

test('on Linux its executable is found without a command', {
  skip: process.platform !== 'linux' && 'Linux only',
}, async () => {
  const none: RunCommand = () => assert.fail('no command is needed');
  const found = await createFindProcess('linux', none)(client.localPort ?? 0, proxyPort);
  assert.equal(found, process.execPath);
});

test('on Windows PowerShell finds the program of the connection; a failure gives null', async () => {
  const calls: string[] = [];
  const answer =
    (code: number | null, stdout: string): RunCommand =>
    async (file, args) => {
      calls.push([file, ...args].join(' '));
      return { code, stdout, stderr: '' };
    };
  const path = 'C:\\Program Files\\App\\app.exe';
  assert.equal(await createFindProcess('win32', answer(0, `${path}\r\n`))(50_001, 8_080), path);
  assert.match(
    calls[0] ?? '',
    /^powershell\.exe .*-LocalPort 50001 -RemotePort 8080\)\.OwningProcess\)\.Path$/,
  );
  for (const failing of [answer(1, ''), answer(0, ''), answer(null, '')])
    assert.equal(await createFindProcess('win32', failing)(50_001, 8_080), null);
  const broken: RunCommand = async () => {
    throw new Error('no');
  };
  assert.equal(await createFindProcess('darwin', broken)(50_001, 8_080), null);
});
