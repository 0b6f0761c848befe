/**
 * Each store is tested by its purpose: a real program completes a handshake because of it, and no longer after removal.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { createJavaStore } from '../../apps/desktop/src/trust/java-store.ts';
import { createLeafIssuer } from '../../apps/desktop/src/trust/leaf-issuer.ts';
import { createLinuxSystemStore } from '../../apps/desktop/src/trust/linux-system-store.ts';
import { createNssStore } from '../../apps/desktop/src/trust/nss-store.ts';
import { createRoot, describeRoot } from '../../apps/desktop/src/trust/root-certificate.ts';
import { createRunCommand } from '../../apps/desktop/src/trust/run-command.ts';
import type { TrustedRoot, TrustStore } from '../../apps/desktop/src/trust/trust-store.ts';
import { findTool, missingTool } from '../../scripts/system-tools.ts';
import { cleanEnvironment } from '../support/desktop/certificates.ts';
import { partOf } from '../support/part.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = createRunCommand(cleanEnvironment());
const executablePath = findTool('browser');

/** The root covers chatgpt.com. A thief has it sign for bank.example, too. */
let root: TrustedRoot;
/** Requests that came through a handshake. */
let answered = 0;
let urls: { good: string; stolen: string };

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close();
});
before(async () => {
  const made = await createRoot(['chatgpt.com', 'localhost'], Date.now());
  const file = path.join(tempFolder('root'), 'root.pem');
  writeFileSync(file, made.pem);
  root = { pem: made.pem, path: file, ...describeRoot(made.pem) };
  const issuer = await createLeafIssuer(made);
  const serve = async (host: string): Promise<number> => {
    const leaf = await issuer.leafFor(host, Date.now());
    const server = createServer({ cert: leaf.chain, key: leaf.key }, (_request, response) => {
      answered += 1;
      response.end('trusted');
    });
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return (server.address() as { port: number }).port;
  };
  urls = {
    good: `https://chatgpt.com:${await serve('chatgpt.com')}/`,
    stolen: `https://bank.example:${await serve('bank.example')}/`,
  };
});

/** Trusted only while the store contains it, and never for a host that the root does not cover. */
async function holds(store: TrustStore, ask: (url: string) => Promise<boolean>): Promise<void> {
  assert.equal(await ask(urls.good), false, 'trusted before it was installed');
  assert.deepEqual(await store.install(root), { kind: 'done' });
  assert.equal(await ask(urls.good), true, 'not trusted though it is installed');
  assert.equal(await ask(urls.stolen), false, 'a host that the root does not cover');
  assert.deepEqual(await store.remove(root), { kind: 'done' });
  assert.equal(await ask(urls.good), false, 'trusted after it was removed');
}

const CHOSEN = partOf('programs that trust', ['system', 'java', 'nss'], 1);

if (CHOSEN.includes('system'))
  test('the system store works for curl and Python', {
    skip: missingTool(['systemRoots', 'curl', 'python']),
  }, async () => {
    const base = tempFolder('system');
    for (const name of ['local', 'etc', 'hooks', 'none']) mkdirSync(path.join(base, name));
    writeFileSync(path.join(base, 'conf'), '');
    // Next to another, as on every computer.
    const other = await createRoot(['other.example'], Date.now());
    writeFileSync(path.join(base, 'local', 'another.crt'), other.pem);
    const at = (name: string) => path.join(base, name);
    const places = ['--certsconf', at('conf'), '--certsdir', at('none'), '--localcertsdir', at('local')];
    const args = [...places, '--etccertsdir', at('etc'), '--hooksdir', at('hooks')];
    await run('update-ca-certificates', args);
    const store = createLinuxSystemStore(run, {
      anchors: at('local'),
      command: 'update-ca-certificates',
      addArgs: args,
      removeArgs: ['--fresh', ...args],
    });
    const bundle = path.join(base, 'etc', 'ca-certificates.crt');
    await holds(store, async (url) => {
      const { hostname, port } = new URL(url);
      const resolve = ['--resolve', `${hostname}:${port}:127.0.0.1`];
      const curl = await run('curl', ['-sS', '--cacert', bundle, ...resolve, url]);
      const script = `
import socket, ssl
context = ssl.create_default_context(cafile=${JSON.stringify(bundle)})
with socket.create_connection(('127.0.0.1', ${port})) as raw:
    context.wrap_socket(raw, server_hostname='${hostname}')`;
      const python = await run('python3', ['-c', script]);
      assert.equal(python.code === 0, curl.stdout === 'trusted', `Python differs: ${python.stderr}`);
      return curl.stdout === 'trusted';
    });
  });

if (CHOSEN.includes('java'))
  test('the Java keystore works', { skip: missingTool(['java']) }, async () => {
    const folder = tempFolder('java');
    const keystore = path.join(folder, 'cacerts');
    const other = await createRoot(['other.example'], Date.now());
    writeFileSync(path.join(folder, 'other.pem'), other.pem);
    const first = ['-importcert', '-noprompt', '-alias', 'other', '-file', path.join(folder, 'other.pem')];
    await run('keytool', [...first, '-keystore', keystore, '-storepass', 'changeit']);
    const hosts = path.join(folder, 'hosts');
    writeFileSync(hosts, '127.0.0.1 chatgpt.com bank.example\n');
    // Java's own certificate tool fetches revocation lists as every Java program fetches things.
    const trust = [
      `-J-Djdk.net.hosts.file=${hosts}`,
      `-J-Djavax.net.ssl.trustStore=${keystore}`,
      '-J-Djavax.net.ssl.trustStorePassword=changeit',
    ];
    await holds(createJavaStore(run, keystore), async (url) => {
      const before = answered;
      const asked = await run('keytool', [...trust, '-printcrl', '-file', url]);
      const isTrusted = answered > before;
      assert.ok(
        isTrusted || /SSLHandshakeException/.test(asked.stdout + asked.stderr),
        JSON.stringify(asked),
      );
      return isTrusted;
    });
  });

if (CHOSEN.includes('nss'))
  test('the NSS store works for a real Chromium', {
    skip: missingTool(['browser', 'certutil']),
  }, async () => {
    const home = tempFolder('home');
    const store = createNssStore(createRunCommand({ ...cleanEnvironment(), HOME: home }), home);
    await holds(store, async (url) => {
      const browser = await chromium.launch({
        executablePath: executablePath ?? '',
        env: { ...cleanEnvironment(), HOME: home },
        args: ['--no-sandbox', '--host-resolver-rules=MAP * 127.0.0.1'],
      });
      try {
        const page = await browser.newPage();
        const error = await page.goto(url).then(
          () => null,
          (reason: Error) => reason.message,
        );
        assert.ok(error === null || /ERR_CERT_/.test(error), error ?? '');
        return error === null && (await page.textContent('body')) === 'trusted';
      } finally {
        await browser.close();
      }
    });
    assert.ok(readFileSync(path.join(home, '.local/share/pki/nssdb/cert9.db')).length > 0);
  });
