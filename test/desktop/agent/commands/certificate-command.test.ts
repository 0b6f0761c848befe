import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  installCertificate,
  printCertificate,
  removeCertificate,
} from '../../../../apps/desktop/src/agent/commands/certificate-command.ts';
import { replaceCertificate } from '../../../../apps/desktop/src/agent/host/device-root.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { createJavaStore } from '../../../../apps/desktop/src/trust/java-store.ts';
import { createNssStore } from '../../../../apps/desktop/src/trust/nss-store.ts';
import { newAuthority } from '../../../support/desktop/certificates.ts';
import { missingCommands, nssCertutil } from '../../../support/desktop/recorded-commands.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const home = () => tempFolder('ca');

test('printed, installed into what is here, removed again', async () => {
  const files = stateFiles(home());
  const { root } = await newAuthority(['localhost']);
  files.write(files.root, root.pem);
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home()), createJavaStore(missingCommands().run, null)];
  assert.equal(printCertificate({ files }), root.pem);
  const installed = await installCertificate({ files, stores });
  assert.match(installed.done.join('\n'), /trusted by the nss store[\s\S]*Java is not installed/);
  assert.deepEqual([installed.left, nss.held.size], [[], 1]);
  await removeCertificate({ files, stores });
  assert.equal(nss.held.size, 0);
});

test('a store that refuses is told, and without a certificate there is one sentence', async () => {
  const files = stateFiles(home());
  await assert.rejects(installCertificate({ files, stores: [] }), /has no certificate: enroll it first\.$/);
  files.write(files.root, (await newAuthority(['localhost'])).root.pem);
  const refusing = createNssStore(async () => ({ code: 1, stdout: '', stderr: 'denied' }), home());
  const { left } = await installCertificate({ files, stores: [refusing] });
  assert.equal(left.length, 1);
});

test('one place alone, for who may change no other; a name that is none is refused with those there are', async () => {
  const files = stateFiles(home());
  files.write(files.root, (await newAuthority(['localhost'])).root.pem);
  const nss = nssCertutil();
  const stores = [createNssStore(nss.run, home()), createJavaStore(missingCommands().run, null)];
  const { done } = await installCertificate({ files, stores }, 'nss');
  assert.equal(done.length, 1);
  assert.equal(nss.held.size, 1);
  await assert.rejects(
    removeCertificate({ files, stores }, 'netscape'),
    /^Error: There is no store "netscape" here, only these: nss, java\.$/,
  );
});

test('another root takes the place of the old one where that was trusted, and nowhere else', async () => {
  const files = stateFiles(home());
  const old = (await newAuthority(['localhost'])).root;
  files.write(files.root, old.pem);
  const [holding, empty] = [nssCertutil(), nssCertutil()];
  const stores = [createNssStore(holding.run, home()), createNssStore(empty.run, home())];
  await installCertificate({ files, stores: stores.slice(0, 1) });
  const before = [...holding.held.keys()];
  files.write(files.root, (await newAuthority(['localhost', 'chatgpt.com'])).root.pem);
  assert.equal(await replaceCertificate(files, stores, old.pem), null);
  assert.deepEqual([holding.held.size, empty.held.size], [1, 0]);
  assert.notDeepEqual([...holding.held.keys()], before);
});
