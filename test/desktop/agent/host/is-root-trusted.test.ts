import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isRootTrusted } from '../../../../apps/desktop/src/agent/host/is-root-trusted.ts';
import { createRunCommand } from '../../../../apps/desktop/src/trust/run-command.ts';
import { cleanEnvironment, newAuthority } from '../../../support/desktop/certificates.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const skip = process.platform === 'linux' ? false : 'the store is a file on Linux only';

test('a root is trusted as soon as the store of the computer contains it', { skip }, async () => {
  const store = path.join(tempFolder('trusted'), 'store.pem');
  const [one, other] = [
    (await newAuthority(['localhost'])).root.pem,
    (await newAuthority(['localhost'])).root.pem,
  ];
  const run = createRunCommand({ ...cleanEnvironment(), SSL_CERT_FILE: store });
  writeFileSync(store, one);
  assert.equal(await isRootTrusted(run, other), false);
  writeFileSync(store, `${one}${other}`);
  assert.equal(await isRootTrusted(run, other), true);
  assert.equal(await isRootTrusted(async () => ({ code: null, stdout: '', stderr: '' }), one), false);
});
