import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  installCertificate,
  printCertificate,
  printProfile,
  removeCertificate,
} from '../../../../apps/desktop/src/agent/commands/certificate-command.ts';
import {
  ensureRoot,
  installNext,
  promoteNext,
  readAllRoots,
} from '../../../../apps/desktop/src/agent/host/device-root.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { createJavaStore } from '../../../../apps/desktop/src/trust/java-store.ts';
import { createNssStore } from '../../../../apps/desktop/src/trust/nss-store.ts';
import { createFileVault } from '../../../../apps/desktop/src/vault/file-vault.ts';
import { newAuthority } from '../../../support/desktop/certificates.ts';
import { missingCommands, nssCertutil } from '../../../support/desktop/recorded-commands.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const home = () => tempFolder('ca');
/** As an administrator, who also names hosts that the agent does not know. */
const ADMIN = { isElevated: true, allow: ['localhost', 'llm.example'] };

test('the certificate is printed, installed into the stores of this computer, and removed', async () => {
  const files = stateFiles(home());
  const { root } = await newAuthority(['localhost']);
  files.write(files.root, root.pem);
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home()), createJavaStore(missingCommands().run, null)];
  assert.equal(printCertificate({ files }), root.pem);
  const installed = await installCertificate({ files, stores }, ADMIN);
  assert.match(installed.done.join('\n'), /trusted by the nss store[\s\S]*Java is not installed/);
  assert.deepEqual([installed.left, nss.held.size], [[], 1]);
  await removeCertificate({ files, stores });
  assert.equal(nss.held.size, 0);
});

test('a store’s rejection is reported, and a missing certificate is one sentence', async () => {
  const files = stateFiles(home());
  await assert.rejects(
    installCertificate({ files, stores: [] }, ADMIN),
    /has no certificate\. Enroll it first\.$/,
  );
  files.write(files.root, (await newAuthority(['localhost'])).root.pem);
  const refusing = createNssStore(async () => ({ code: 1, stdout: '', stderr: 'denied' }), home());
  const { left } = await installCertificate({ files, stores: [refusing] }, ADMIN);
  assert.equal(left.length, 1);
});

test('installs into one named store, and rejects an unknown name with the known ones', async () => {
  const files = stateFiles(home());
  files.write(files.root, (await newAuthority(['localhost'])).root.pem);
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home()), createJavaStore(missingCommands().run, null)];
  const { done } = await installCertificate({ files, stores }, { ...ADMIN, store: 'nss' });
  assert.deepEqual(done, [
    'In addition to known AI providers, the certificate covers: localhost.',
    'The certificate is trusted by the nss store.',
  ]);
  assert.equal(nss.held.size, 1);
  await assert.rejects(
    removeCertificate({ files, stores }, { store: 'netscape' }),
    /^Error: Unknown store "netscape"\. Stores: nss, java\.$/,
  );
});

test('a successor is installed next to the root in use, and replaces it once trusted in the same stores', async () => {
  const folder = home();
  const files = stateFiles(folder);
  const vault = createFileVault(path.join(folder, 'vault'));
  const first = await ensureRoot(files, vault, ['localhost'], Date.now());
  assert.ok(first.kind === 'ok' && first.next === null);
  const [holding, empty] = [nssCertutil(), nssCertutil()];
  const stores = [createNssStore(holding.run, home()), createNssStore(empty.run, home())];
  await installCertificate({ files, stores: stores.slice(0, 1) }, ADMIN);
  const before = [...holding.held.keys()];
  const wider = await ensureRoot(files, vault, ['localhost', 'llm.example'], Date.now());
  assert.ok(wider.kind === 'ok' && wider.next !== null && wider.isNew);
  assert.equal(wider.root.pem, first.root.pem, 'the root that programs trust stays in use');
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

test('an administrator installs the successor; removing removes both', async () => {
  const folder = home();
  const files = stateFiles(folder);
  const vault = createFileVault(path.join(folder, 'vault'));
  await ensureRoot(files, vault, ['localhost'], Date.now());
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home())];
  await installCertificate({ files, stores }, ADMIN);
  await ensureRoot(files, vault, ['localhost', 'llm.example'], Date.now());
  await installCertificate({ files, stores }, ADMIN);
  assert.equal(nss.held.size, 2);
  await removeCertificate({ files, stores });
  assert.equal(nss.held.size, 0);
});

test('with administrator rights, only AI providers and names that the administrator allows are installed', async () => {
  const files = stateFiles(home());
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home())];
  const install = (options: object) =>
    installCertificate({ files, stores }, { isElevated: true, ...options });
  files.write(files.root, (await newAuthority(['api.openai.com', 'localhost', 'bank.example'])).root.pem);
  await assert.rejects(
    install({ allow: ['localhost'] }),
    /^Error: The certificate was not installed, because it also covers hosts that are not AI providers: bank\.example\. If your organization inspects these hosts, run "agent ca install --allow bank\.example"\.$/,
  );
  assert.throws(() => printProfile({ files }, []), /providers: localhost, bank\.example\./);
  assert.equal(nss.held.size, 0);
  await install({ allow: ['localhost', 'bank.example'] });
  assert.equal(nss.held.size, 1);
  assert.match(printProfile({ files }, ['localhost', 'bank.example']), /com\.apple\.security\.root/);
  files.write(files.root, (await newAuthority(['api.openai.com'])).root.pem);
  await install({});
  assert.equal(nss.held.size, 2, 'a listed provider needs no name');
});

test('with the user’s own rights, any name is installed', async () => {
  const files = stateFiles(home());
  const nss = nssCertutil();
  files.write(files.root, (await newAuthority(['bank.example'])).root.pem);
  const stores = [createNssStore(nss.run, home())];
  await installCertificate({ files, stores }, { isElevated: false });
  assert.equal(nss.held.size, 1);
});

test('another authority’s certificate, or a path that is not a file, is neither installed nor removed', async () => {
  const files = stateFiles(home());
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home())];
  const { root } = await newAuthority(['localhost']);
  files.write(files.root, root.pem);
  await installCertificate({ files, stores }, ADMIN);
  // A certificate of the computer that the user wants removed or trusted: here one without name constraints.
  files.write(files.root, root.issuerPem);
  nss.held.set('company', root.issuerPem);
  await assert.rejects(installCertificate({ files, stores }, ADMIN), /is not the one that the agent created/);
  assert.deepEqual((await removeCertificate({ files, stores })).done, []);
  assert.equal(nss.held.size, 2);
  rmSync(files.root);
  symlinkSync('/dev/zero', files.root);
  await assert.rejects(installCertificate({ files, stores }, ADMIN), /has no certificate/);
});
