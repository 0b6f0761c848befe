import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import {
  installCertificate,
  printCertificate,
  removeCertificate,
} from '../../../../apps/desktop/src/agent/commands/certificate-command.ts';
import {
  ensureRoot,
  installNext,
  promoteNext,
  readAllRoots,
} from '../../../../apps/desktop/src/agent/host/device-root.ts';
import { readSettings } from '../../../../apps/desktop/src/agent/settings/read-settings.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { createJavaStore } from '../../../../apps/desktop/src/trust/java-store.ts';
import { createNssStore } from '../../../../apps/desktop/src/trust/nss-store.ts';
import { createFileVault } from '../../../../apps/desktop/src/vault/file-vault.ts';
import { newAuthority } from '../../../support/desktop/certificates.ts';
import { missingCommands, nssCertutil } from '../../../support/desktop/recorded-commands.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const home = () => tempFolder('ca');
const settings = { ...readSettings({}), extraHosts: ['localhost', 'llm.example'] };

test('printed, installed into what is here, removed again', async () => {
  const files = stateFiles(home());
  const { root } = await newAuthority(['localhost']);
  files.write(files.root, root.pem);
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home()), createJavaStore(missingCommands().run, null)];
  assert.equal(printCertificate({ files }), root.pem);
  const installed = await installCertificate({ files, stores, settings });
  assert.match(installed.done.join('\n'), /trusted by the nss store[\s\S]*Java is not installed/);
  assert.deepEqual([installed.left, nss.held.size], [[], 1]);
  await removeCertificate({ files, stores, settings });
  assert.equal(nss.held.size, 0);
});

test('a store that rejects is reported, and without a certificate there is one sentence', async () => {
  const files = stateFiles(home());
  await assert.rejects(
    installCertificate({ files, stores: [], settings }),
    /has no certificate: enroll it first\.$/,
  );
  files.write(files.root, (await newAuthority(['localhost'])).root.pem);
  const refusing = createNssStore(async () => ({ code: 1, stdout: '', stderr: 'denied' }), home());
  const { left } = await installCertificate({ files, stores: [refusing], settings });
  assert.equal(left.length, 1);
});

test('one place alone, for who may change no other; a name that is none is refused with those there are', async () => {
  const files = stateFiles(home());
  files.write(files.root, (await newAuthority(['localhost'])).root.pem);
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home()), createJavaStore(missingCommands().run, null)];
  const { done } = await installCertificate({ files, stores, settings }, 'nss');
  assert.deepEqual(done, [
    'Beside known AI vendors, the certificate covers: localhost.',
    'The certificate is trusted by the nss store.',
  ]);
  assert.equal(nss.held.size, 1);
  await assert.rejects(
    removeCertificate({ files, stores, settings }, 'netscape'),
    /^Error: There is no store "netscape" here, only these: nss, java\.$/,
  );
});

test('a successor is installed beside the root in use, and takes its place where that was trusted', async () => {
  const folder = home();
  const files = stateFiles(folder);
  const vault = createFileVault(path.join(folder, 'vault'));
  const first = await ensureRoot(files, vault, ['localhost'], Date.now());
  assert.ok(first.kind === 'ok' && first.next === null);
  const [holding, empty] = [nssCertutil(), nssCertutil()];
  const stores = [createNssStore(holding.run, home()), createNssStore(empty.run, home())];
  await installCertificate({ files, stores: stores.slice(0, 1), settings });
  const before = [...holding.held.keys()];
  const wider = await ensureRoot(files, vault, ['localhost', 'llm.example'], Date.now());
  assert.ok(wider.kind === 'ok' && wider.next !== null && wider.isNew);
  assert.equal(wider.root.pem, first.root.pem, 'the one that programs trust stays in use');
  assert.equal(await installNext(files, stores), null);
  assert.deepEqual([holding.held.size, empty.held.size], [2, 0]);
  assert.equal(await promoteNext(files, vault, stores, wider.next), null);
  assert.deepEqual([holding.held.size, empty.held.size], [1, 0]);
  assert.notDeepEqual([...holding.held.keys()], before);
  const again = await ensureRoot(files, vault, ['localhost', 'llm.example'], Date.now());
  assert.ok(again.kind === 'ok' && again.root.pem === wider.next.pem && again.next === null);
  assert.deepEqual(
    readAllRoots(files).map(({ pem }) => pem),
    [wider.next.pem],
  );
});

test('an administrator installs the successor; removing removes all of them', async () => {
  const folder = home();
  const files = stateFiles(folder);
  const vault = createFileVault(path.join(folder, 'vault'));
  await ensureRoot(files, vault, ['localhost'], Date.now());
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home())];
  await installCertificate({ files, stores, settings });
  await ensureRoot(files, vault, ['localhost', 'llm.example'], Date.now());
  await installCertificate({ files, stores, settings });
  assert.equal(nss.held.size, 2);
  await removeCertificate({ files, stores, settings });
  assert.equal(nss.held.size, 0);
});

test('a certificate that was put in its place is not installed', async () => {
  const files = stateFiles(home());
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home())];
  files.write(files.root, (await newAuthority(['localhost', 'bank.example'])).root.pem);
  await assert.rejects(
    installCertificate({ files, stores, settings }),
    /it covers bank\.example\), so it was not installed/,
  );
  assert.equal(nss.held.size, 0);
});
