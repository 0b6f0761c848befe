/** A stolen root, at every client that trusts it: it is valid for the hosts it was created for, and for no others. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { AI_DOMAINS } from '@csg/shared/providers';
import { findBrowser } from '../../../apps/cloud/src/scrape/render/find-browser.ts';
import { certificateNames } from '../../../apps/desktop/src/agent/host/device-root.ts';
import { createLeafIssuer } from '../../../apps/desktop/src/trust/leaf-issuer.ts';
import { createNssStore } from '../../../apps/desktop/src/trust/nss-store.ts';
import { createRoot, describeRoot } from '../../../apps/desktop/src/trust/root-certificate.ts';
import { createRunCommand } from '../../../apps/desktop/src/trust/run-command.ts';
import { missingTool } from '../../../scripts/system-tools.ts';
import { cleanEnvironment } from '../../support/desktop/certificates.ts';

const PASSWORD = 'changeit';
const folder = mkdtempSync(path.join(tmpdir(), 'csg-roots-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A server for `localhost` whose certificate is issued by a root for `hosts`. */
interface Site {
  readonly url: string;
  readonly pem: string;
  readonly home: string;
  asked: number;
}

const sites: Server[] = [];
async function open(hosts: readonly string[], name: string): Promise<Site> {
  const root = await createRoot(hosts, Date.now());
  const pem = path.join(folder, `${name}.pem`);
  writeFileSync(pem, root.pem);
  const leaf = await (await createLeafIssuer(root)).leafFor('localhost', Date.now());
  const server = createServer({ cert: leaf.chain, key: leaf.key }, (_request, response) => {
    site.asked += 1;
    response.end('<h1>trusted</h1>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  sites.push(server);
  const home = mkdtempSync(path.join(folder, `${name}-home-`));
  const { port } = server.address() as AddressInfo;
  const site: Site = { url: `https://localhost:${port}/`, pem, home, asked: 0 };
  return site;
}

let covered: Site;
let foreign: Site;
before(async () => {
  // As a device creates them: with the domains of AI providers.
  covered = await open(certificateNames(AI_DOMAINS, ['localhost']), 'covered');
  foreign = await open(certificateNames(AI_DOMAINS, ['api.openai.com', 'llm.example']), 'foreign');
});
after(() => {
  for (const server of sites) server.close().closeAllConnections();
});

const run = createRunCommand(cleanEnvironment());
const browser = findBrowser(undefined, process.env['PATH'] ?? '');

interface Client {
  readonly name: string;
  /** Why the client cannot be tested here. */
  readonly missing?: string | false;
  /** Trusts the root of the site, and visits it. */
  visit(site: Site): Promise<unknown>;
}

const CLIENTS: readonly Client[] = [
  {
    name: 'curl',
    missing: missingTool(['curl']),
    visit: ({ url, pem }) => run('curl', ['-sS', '--cacert', pem, url]),
  },
  {
    name: 'Node',
    visit: ({ url, pem }) =>
      createRunCommand({ ...cleanEnvironment(), NODE_EXTRA_CA_CERTS: pem })(process.execPath, [
        '-e',
        `fetch('${url}').catch(() => {})`,
      ]),
  },
  {
    name: 'Python',
    missing: missingTool(['python']),
    visit: ({ url, pem }) =>
      createRunCommand({ ...cleanEnvironment(), SSL_CERT_FILE: pem })('python3', [
        '-c',
        `import urllib.request; urllib.request.urlopen("${url}")`,
      ]),
  },
  {
    name: 'Java',
    missing: missingTool(['java']),
    // Java's own certificate tool fetches revocation lists as every Java program fetches things.
    async visit({ url, pem, home }) {
      const store = path.join(home, 'trust.p12');
      const keep = ['-importcert', '-noprompt', '-alias', 'root', '-file', pem, '-storepass', PASSWORD];
      assert.equal((await run('keytool', [...keep, '-keystore', store])).code, 0);
      const trusting = [
        `-J-Djavax.net.ssl.trustStore=${store}`,
        `-J-Djavax.net.ssl.trustStorePassword=${PASSWORD}`,
      ];
      return await run('keytool', [...trusting, '-printcrl', '-file', url]);
    },
  },
  {
    name: 'Chromium',
    missing: missingTool(['browser', 'certutil']),
    async visit({ url, pem, home }) {
      const env = { ...cleanEnvironment(), HOME: home };
      const text = readFileSync(pem, 'utf8');
      const run = createRunCommand(env);
      const store = createNssStore(run, home);
      // A browser from Snap has a certificate store of its own, once it has been started.
      const snap = path.join(home, 'snap', 'chromium', 'current', '.pki', 'nssdb');
      if (!existsSync(snap)) {
        mkdirSync(snap, { recursive: true });
        await run('certutil', ['-d', `sql:${snap}`, '-N', '--empty-password']);
      }
      const root = { ...describeRoot(text), pem: text, path: pem };
      assert.deepEqual(await store.install(root), { kind: 'done' });
      assert.match((await run('certutil', ['-d', `sql:${snap}`, '-L'])).stdout, /Content Security Agent/);
      assert.deepEqual(await store.state(root), { kind: 'installed' });
      return await createRunCommand(env)(browser ?? '', [
        '--headless',
        '--disable-gpu',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        `--user-data-dir=${path.join(home, 'profile')}`,
        '--dump-dom',
        url,
      ]);
    },
  },
];

for (const { name, missing = false, visit } of CLIENTS) {
  test(`${name} accepts the hosts of the root, and no other`, { skip: missing }, async () => {
    const result = JSON.stringify(await visit(covered));
    assert.ok(covered.asked > 0, `a host that the root covers is not reached: ${result}`);
    await visit(foreign);
    assert.equal(foreign.asked, 0, 'a host beyond the root was reached');
    covered.asked = 0;
  });
}

test('openssl accepts names below a provider’s domain, and none next to it', {
  skip: missingTool(['openssl']),
}, async () => {
  const root = await createRoot(certificateNames(AI_DOMAINS, ['llm.example']), Date.now());
  const [anchor, issuer] = [path.join(folder, 'anchor.pem'), path.join(folder, 'issuer.pem')];
  writeFileSync(anchor, root.pem);
  writeFileSync(issuer, root.issuerPem);
  const leaves = await createLeafIssuer(root);
  const isAccepted = async (host: string): Promise<boolean> => {
    const leaf = path.join(folder, `${host}.pem`);
    writeFileSync(leaf, (await leaves.leafFor(host, Date.now())).chain);
    const names = ['-CAfile', anchor, '-untrusted', issuer, '-verify_hostname', host];
    const { code, stdout, stderr } = await run('openssl', ['verify', ...names, leaf]);
    if (code !== 0) assert.match(stdout + stderr, /permitted subtree violation/);
    return code === 0;
  };
  for (const host of ['newest.eu.openai.com', 'claude.ai', 'a.llm.example'])
    assert.equal(await isAccepted(host), true, host);
  for (const host of ['evilopenai.com', 'openai.com.evil.example', 'accounts.google.com', 'bank.example'])
    assert.equal(await isAccepted(host), false, host);
});
