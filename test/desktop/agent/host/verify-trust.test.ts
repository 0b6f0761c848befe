import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { verifyTrust } from '../../../../apps/desktop/src/agent/host/verify-trust.ts';
import { createRunCommand } from '../../../../apps/desktop/src/trust/run-command.ts';
import { cleanEnvironment } from '../../../support/desktop/certificates.ts';
import { startTestStack } from '../../../support/desktop/test-stack.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const skip = process.platform === 'linux' ? false : 'only on Linux can a test say what the machine trusts';

test('a real handshake with the computer’s roots succeeds only if they include ours', { skip }, async () => {
  const stand = await startTestStack();
  const ask = { port: stand.proxy.port, token: 'token-of-this-test' };
  const ca = path.join(tempFolder('trust'), 'ca.pem');
  writeFileSync(ca, stand.device.root.pem);
  const without = createRunCommand(cleanEnvironment());
  assert.match((await verifyTrust(without, ask)) ?? '', /not trusted/);
  const trusting = createRunCommand({ ...cleanEnvironment(), SSL_CERT_FILE: ca });
  assert.equal(await verifyTrust(trusting, ask), null);
  assert.match(
    (await verifyTrust(async () => ({ code: null, stdout: '', stderr: '' }), ask)) ?? '',
    /could not be tested/,
  );
  await stand.close();
});
