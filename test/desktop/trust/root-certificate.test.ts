import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createLeafIssuer } from '../../../apps/desktop/src/trust/leaf-issuer.ts';
import {
  coverageOf,
  createRoot,
  describeRoot,
  type RootCertificate,
} from '../../../apps/desktop/src/trust/root-certificate.ts';
import { missingTool } from '../../../scripts/system-tools.ts';
import { cleanEnvironment } from '../../support/desktop/certificates.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { HANG_LIMIT_MS } from '../../support/until.ts';

let root: RootCertificate;
let file: string;
before(async () => {
  root = await createRoot(['localhost', '*.claude.ai', '127.0.0.1'], Date.now());
  file = path.join(tempFolder('root'), 'root.pem');
  writeFileSync(file, root.pem);
});

async function serverFor(host: string) {
  const leaf = await (await createLeafIssuer(root)).leafFor(host, Date.now());
  const server = createServer({ cert: leaf.chain, key: leaf.key }, (_request, response) =>
    response.end('trusted'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return (server.address() as { port: number }).port;
}

/** In a process of its own, so that our event loop can respond. */
async function run(command: string, args: string[], env: Record<string, string> = {}) {
  const { execFile } = await import('node:child_process');
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      command,
      args,
      { env: { ...cleanEnvironment(), ...env }, timeout: HANG_LIMIT_MS },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });
}

const NODE_ASKS = (url: string) =>
  `fetch('${url}').then((r) => r.text()).then((t) => console.log(t), (e) => { console.log(e.cause?.code); process.exit(1); })`;
const PYTHON_ASKS = (url: string) =>
  `import urllib.request; print(urllib.request.urlopen("${url}").read().decode())`;

for (const host of ['localhost', '127.0.0.1']) {
  test(`curl accepts a leaf for ${host}, but only with our root`, {
    skip: missingTool(['curl']),
  }, async () => {
    const url = `https://${host}:${await serverFor(host)}/`;
    assert.equal((await run('curl', ['-sS', '--cacert', file, url])).stdout, 'trusted');
    assert.equal((await run('curl', ['-sS', url])).code, 60);
  });

  test(`Node accepts a leaf for ${host}, but only with our root`, async () => {
    const url = `https://${host}:${await serverFor(host)}/`;
    assert.match(
      (await run(process.execPath, ['-e', NODE_ASKS(url)], { NODE_EXTRA_CA_CERTS: file })).stdout,
      /trusted/,
    );
    assert.notEqual((await run(process.execPath, ['-e', NODE_ASKS(url)])).code, 0);
  });

  test(`Python accepts a leaf for ${host}, but only with our root`, {
    skip: missingTool(['python']),
  }, async () => {
    const url = `https://${host}:${await serverFor(host)}/`;
    assert.match((await run('python3', ['-c', PYTHON_ASKS(url)], { SSL_CERT_FILE: file })).stdout, /trusted/);
    assert.notEqual((await run('python3', ['-c', PYTHON_ASKS(url)])).code, 0);
  });
}

test('a stolen root cannot impersonate another host: curl and Node reject its leaf', {
  skip: missingTool(['curl']),
}, async () => {
  const stolen = await createRoot(['api.openai.com'], Date.now());
  writeFileSync(path.join(path.dirname(file), 'stolen.pem'), stolen.pem);
  const leaf = await (await createLeafIssuer(stolen)).leafFor('localhost', Date.now());
  const server = createServer({ cert: leaf.chain, key: leaf.key }, (_request, response) =>
    response.end('trusted'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const url = `https://localhost:${(server.address() as { port: number }).port}/`;
  const ca = path.join(path.dirname(file), 'stolen.pem');
  assert.equal((await run('curl', ['-sS', '--cacert', ca, url])).code, 60);
  const node = await run(process.execPath, ['-e', NODE_ASKS(url)], { NODE_EXTRA_CA_CERTS: ca });
  assert.deepEqual([node.code, node.stdout.includes('trusted')], [1, false]);
});

test('a root states the hosts it covers, and its name in certificate stores', () => {
  const covers = coverageOf(root.pem);
  assert.ok(covers('localhost') && covers('x.claude.ai') && covers('127.0.0.1'));
  assert.ok(!covers('api.openai.com') && !covers('evilclaude.ai') && !covers('127.0.0.2'));
  const certificate = new X509Certificate(root.pem);
  assert.equal(certificate.ca, true);
  assert.equal(describeRoot(root.pem).sha1, certificate.fingerprint.replaceAll(':', ''));
  assert.match(certificate.subject, /Content Security Agent/);
});
