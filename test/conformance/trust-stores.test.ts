/** Promises of every store of trusted roots. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createFirefoxStore } from '../../apps/desktop/src/trust/firefox-store.ts';
import { createJavaStore } from '../../apps/desktop/src/trust/java-store.ts';
import { createLinuxSystemStore, DEBIAN_PATHS } from '../../apps/desktop/src/trust/linux-system-store.ts';
import { createMacosSystemStore } from '../../apps/desktop/src/trust/macos-system-store.ts';
import { createNssStore } from '../../apps/desktop/src/trust/nss-store.ts';
import { createRoot, describeRoot } from '../../apps/desktop/src/trust/root-certificate.ts';
import { createRunCommand } from '../../apps/desktop/src/trust/run-command.ts';
import type { TrustedRoot, TrustStore } from '../../apps/desktop/src/trust/trust-store.ts';
import { createWindowsSystemStore } from '../../apps/desktop/src/trust/windows-system-store.ts';
import { missingTool } from '../../scripts/system-tools.ts';
import { cleanEnvironment } from '../support/desktop/certificates.ts';
import {
  macosSecurity,
  missingCommands,
  nssCertutil,
  windowsCertutil,
} from '../support/desktop/recorded-commands.ts';
import { isInPart } from '../support/part.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = createRunCommand(cleanEnvironment());

async function newRoot(): Promise<TrustedRoot> {
  const { pem } = await createRoot(['api.openai.com'], Date.now());
  const file = path.join(tempFolder('root'), 'root.pem');
  writeFileSync(file, pem);
  return { pem, path: file, ...describeRoot(pem) };
}

const root = await newRoot();
const other = await newRoot();
const sha1Of = (file: string) => describeRoot(readFileSync(file, 'utf8')).sha1;

interface StoreCase {
  readonly name: string;
  readonly open: () => TrustStore | Promise<TrustStore>;
  readonly openWithoutTool: () => TrustStore;
  /** Why the store cannot be tested here. */
  readonly skip?: string | false;
}

const noJava = missingTool(['java']);
const noDebian = missingTool(['systemRoots']);

/** The real tool on folders of our own. */
function debianStore(base = tempFolder('debian')): TrustStore {
  for (const name of ['local', 'etc', 'hooks']) mkdirSync(path.join(base, name));
  writeFileSync(path.join(base, 'conf'), '');
  // Next to the distribution's own, as on every computer: the tool does not write an empty bundle.
  writeFileSync(path.join(base, 'local', 'another.crt'), other.pem);
  const args = [
    '--certsconf',
    path.join(base, 'conf'),
    '--certsdir',
    path.join(base, 'none'),
    '--localcertsdir',
    path.join(base, 'local'),
    '--etccertsdir',
    path.join(base, 'etc'),
    '--hooksdir',
    path.join(base, 'hooks'),
  ];
  mkdirSync(path.join(base, 'none'));
  return createLinuxSystemStore(run, {
    anchors: path.join(base, 'local'),
    command: 'update-ca-certificates',
    addArgs: args,
    removeArgs: ['--fresh', ...args],
  });
}

async function javaStore(): Promise<TrustStore> {
  const keystore = path.join(tempFolder('java'), 'cacerts');
  await run('keytool', [
    '-genkeypair',
    '-alias',
    'first',
    '-keyalg',
    'EC',
    '-dname',
    'CN=x',
    '-keystore',
    keystore,
    '-storepass',
    'changeit',
  ]);
  return createJavaStore(run, keystore);
}

/** Slow to start. */
const REAL_JAVA = 'java (the real tool)';
const CASES: readonly StoreCase[] = [
  {
    name: 'system (Debian, the real tool)',
    open: debianStore,
    openWithoutTool: () =>
      createLinuxSystemStore(missingCommands().run, {
        ...DEBIAN_PATHS,
        anchors: path.join(tempFolder('debian'), 'none'),
      }),
    skip: noDebian,
  },
  {
    name: 'system (macOS)',
    open: () => createMacosSystemStore(macosSecurity(sha1Of).run),
    openWithoutTool: () => createMacosSystemStore(missingCommands().run),
  },
  {
    name: 'system (Windows)',
    open: () => createWindowsSystemStore(windowsCertutil(sha1Of).run),
    openWithoutTool: () => createWindowsSystemStore(missingCommands().run),
  },
  {
    name: 'nss',
    open: () => createNssStore(nssCertutil().run, tempFolder('home')),
    openWithoutTool: () => createNssStore(missingCommands().run, tempFolder('home')),
  },
  {
    name: 'firefox',
    open: () => createFirefoxStore(path.join(tempFolder('firefox'), 'policies'), () => true),
    openWithoutTool: () => createFirefoxStore(tempFolder('firefox'), () => false),
  },
  {
    name: REAL_JAVA,
    open: javaStore,
    openWithoutTool: () => createJavaStore(missingCommands().run, null),
    skip: noJava,
  },
];

for (const { name, open, openWithoutTool, skip } of CASES) {
  if (name === REAL_JAVA && !isInPart(name, 3)) continue;
  describe(`every trust store: ${name}`, { skip: skip ?? false }, () => {
    it('installs and removes a root, also when repeated', async () => {
      const store = await open();
      assert.deepEqual(await store.state(root), { kind: 'absent' });
      assert.deepEqual(await store.remove(root), { kind: 'done' });
      assert.deepEqual(await store.install(root), { kind: 'done' });
      assert.deepEqual(await store.state(root), { kind: 'installed' });
      assert.deepEqual(await store.install(root), { kind: 'done' });
      assert.deepEqual(await store.state(other), { kind: 'absent' }, 'another root is not ours');
      assert.deepEqual(await store.remove(root), { kind: 'done' });
      assert.deepEqual(await store.state(root), { kind: 'absent' });
    });

    it('a missing store is reported as unavailable, and nothing fails', async () => {
      const store = openWithoutTool();
      assert.equal((await store.state(root)).kind, 'unavailable');
      assert.equal((await store.install(root)).kind, 'unavailable');
      assert.notEqual((await store.remove(root)).kind, 'failed');
    });
  });
}

it('Debian: the root reaches the bundle, and removal leaves no dangling link', {
  skip: noDebian,
}, async () => {
  const base = tempFolder('debian');
  const store = debianStore(base);
  await store.install(root);
  const bundle = () => readFileSync(path.join(base, 'etc', 'ca-certificates.crt'), 'utf8');
  assert.ok(bundle().includes(root.pem.trim()));
  assert.ok(readdirSync(path.join(base, 'etc')).some((name) => name.startsWith('content-security-agent')));
  await store.remove(root);
  assert.ok(!bundle().includes(root.pem.trim()));
  const names = readdirSync(path.join(base, 'etc'));
  assert.ok(!names.some((name) => name.startsWith('content-security-agent')), names.join());
  assert.ok(bundle().includes(other.pem.trim()));
});

it("Firefox: an administrator's policies stay unchanged; an invalid file is left alone", async () => {
  const place = tempFolder('firefox');
  const file = path.join(place, 'policies.json');
  const theirs = {
    policies: { DisableTelemetry: true, Certificates: { ImportEnterpriseRoots: true, Install: ['a.pem'] } },
  };
  writeFileSync(file, JSON.stringify(theirs));
  const store = createFirefoxStore(place, () => true);
  await store.install(root);
  const copy = path.join(place, `content-security-agent-${root.sha1}.pem`);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')).policies.Certificates.Install, ['a.pem', copy]);
  assert.equal(readFileSync(copy, 'utf8'), root.pem, 'a copy that only administrators can change');
  assert.equal(statSync(copy).mode & 0o022, 0);
  writeFileSync(copy, other.pem);
  assert.deepEqual(await store.state(root), { kind: 'absent' }, 'another root is in its place');
  await store.install(root);
  assert.deepEqual(await store.state(root), { kind: 'installed' });
  await store.remove(root);
  assert.equal(existsSync(copy), false);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), theirs);
  writeFileSync(file, '{ broken');
  assert.equal((await store.install(root)).kind, 'failed');
  assert.equal(readFileSync(file, 'utf8'), '{ broken');
  const fresh = path.join(tempFolder('firefox'), 'policies');
  const own = createFirefoxStore(fresh, () => true);
  await own.install(root);
  await own.remove(root);
  assert.equal(existsSync(fresh), false, 'nothing of ours is left');
});

it('says what to do if macOS lets no program change trust', async () => {
  const stderr =
    'SecTrustSettingsSetTrustSettings: The authorization was denied since no user interaction was possible.\n';
  const store = createMacosSystemStore(async () => ({ code: 1, stdout: '', stderr }));
  const installed = await store.install(root);
  assert.equal(installed.kind, 'failed');
  assert.match(
    installed.kind === 'failed' ? installed.reason : '',
    /sudo agent ca install.*agent ca --profile/,
  );
});
