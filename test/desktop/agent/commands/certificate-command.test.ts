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
/** As an administrator, who names what the agent does not know. */
const ADMIN = { isElevated: true, allow: ['localhost', 'llm.example'] };

test('printed, installed into what is here, removed again', async () => {
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

test('a store that rejects is reported, and without a certificate there is one sentence', async () => {
  const files = stateFiles(home());
  await assert.rejects(
    installCertificate({ files, stores: [] }, ADMIN),
    /has no certificate: enroll it first\.$/,
  );
  files.write(files.root, (await newAuthority(['localhost'])).root.pem);
  const refusing = createNssStore(async () => ({ code: 1, stdout: '', stderr: 'denied' }), home());
  const { left } = await installCertificate({ files, stores: [refusing] }, ADMIN);
  assert.equal(left.length, 1);
});

test('one place alone, for who may change no other; a name that is none is refused with those there are', async () => {
  const files = stateFiles(home());
  files.write(files.root, (await newAuthority(['localhost'])).root.pem);
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home()), createJavaStore(missingCommands().run, null)];
  const { done } = await installCertificate({ files, stores }, { ...ADMIN, store: 'nss' });
  assert.deepEqual(done, [
    'Beside known AI providers, the certificate covers: localhost.',
    'The certificate is trusted by the nss store.',
  ]);
  assert.equal(nss.held.size, 1);
  await assert.rejects(
    removeCertificate({ files, stores }, { store: 'netscape' }),
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
  await installCertificate({ files, stores: stores.slice(0, 1) }, ADMIN);
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
  await installCertificate({ files, stores }, ADMIN);
  await ensureRoot(files, vault, ['localhost', 'llm.example'], Date.now());
  await installCertificate({ files, stores }, ADMIN);
  assert.equal(nss.held.size, 2);
  await removeCertificate({ files, stores });
  assert.equal(nss.held.size, 0);
});

test('with an administrator’s rights only for AI providers and the names that the administrator gives', async () => {
  const files = stateFiles(home());
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home())];
  const install = (options: object) =>
    installCertificate({ files, stores }, { isElevated: true, ...options });
  files.write(files.root, (await newAuthority(['api.openai.com', 'localhost', 'bank.example'])).root.pem);
  await assert.rejects(
    install({ allow: ['localhost'] }),
    /^Error: The certificate was not installed: beside AI providers, it covers bank\.example\. If your organization has the agent read these, run "agent ca install --allow bank\.example"\.$/,
  );
  assert.throws(() => printProfile({ files }, []), /it covers localhost, bank\.example\./);
  assert.equal(nss.held.size, 0);
  await install({ allow: ['localhost', 'bank.example'] });
  assert.equal(nss.held.size, 1);
  assert.match(printProfile({ files }, ['localhost', 'bank.example']), /com\.apple\.security\.root/);
  files.write(files.root, (await newAuthority(['api.openai.com'])).root.pem);
  await install({});
  assert.equal(nss.held.size, 2, 'a provider of the list needs no name');
});

test('with the user’s own rights the names are the user’s affair', async () => {
  const files = stateFiles(home());
  const nss = nssCertutil();
  files.write(files.root, (await newAuthority(['bank.example'])).root.pem);
  const stores = [createNssStore(nss.run, home())];
  await installCertificate({ files, stores }, { isElevated: false });
  assert.equal(nss.held.size, 1);
});

test('another authority in its place is neither installed nor removed; nor is what is no file', async () => {
  const files = stateFiles(home());
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home())];
  const { root } = await newAuthority(['localhost']);
  files.write(files.root, root.pem);
  await installCertificate({ files, stores }, ADMIN);
  // A certificate of the computer that the user wants removed, or trusted: here one that no names limit.
  files.write(files.root, root.issuerPem);
  nss.held.set('company', root.issuerPem);
  await assert.rejects(installCertificate({ files, stores }, ADMIN), /is not as the agent made it/);
  assert.deepEqual((await removeCertificate({ files, stores })).done, []);
  assert.equal(nss.held.size, 2);
  rmSync(files.root);
  symlinkSync('/dev/zero', files.root);
  await assert.rejects(installCertificate({ files, stores }, ADMIN), /has no certificate/);
});
