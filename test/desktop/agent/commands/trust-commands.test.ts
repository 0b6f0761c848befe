import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  type ControlServer,
  openControlServer,
} from '../../../../apps/desktop/src/agent/control/control-server.ts';
import { serviceRequests } from '../../../../apps/desktop/src/agent/service/service-requests.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { agentCommands } from '../../../support/desktop/agent-process.ts';
import { newAuthority } from '../../../support/desktop/certificates.ts';
import { fakeCertutil } from '../../../support/desktop/fake-certutil.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('without an action, or without a certificate, each command says what to do', async () => {
  const agent = agentCommands(tempFolder('trust-commands'));
  const { code, stderr } = await agent.run('ca');
  assert.equal(code, 1);
  assert.match(stderr, /^Enter "ca --print", "ca install" or "ca remove"\.$/m);
  for (const args of [
    ['ca', '--profile', '--allow', 'Chat.Example'],
    ['ca', 'remove'],
    ['env', '--json'],
  ]) {
    const ended = await agent.run(...args);
    assert.equal(ended.code, 1, args.join(' '));
    assert.equal(ended.stderr.trim(), 'This computer has no certificate. Enroll it first.');
  }
});

/** A computer with a certificate, and a command that installs it in Chromium's store alone. */
async function installer() {
  const agent = agentCommands(tempFolder('trust-commands'));
  const files = stateFiles(agent.stateDir);
  files.write(files.root, (await newAuthority(['api.openai.com'])).root.pem);
  const certutil = fakeCertutil();
  const install = () => agent.with({ PATH: certutil.folder }).run('ca', 'install', '--store', 'nss');
  return { files, certutil, install };
}

const TRUSTED = 'The certificate is trusted by the nss store.\n';

test('"ca install" with no agent running: exit code 0, and only the store is reported', async () => {
  const { certutil, install } = await installer();
  const { code, stdout, stderr } = await install();
  assert.deepEqual([code, stdout, stderr], [0, TRUSTED, '']);
  assert.ok(certutil.isHeld());
});

for (const [kind, answer, sentence] of [
  [
    'responds with an error',
    () => {
      throw new Error('The proxy cannot start.');
    },
    'The proxy cannot start.',
  ],
  [
    'ends before it responds',
    (server: ControlServer) => server.close().then(() => null),
    'The agent stopped before it responded.',
  ],
] as const) {
  test(`"ca install" and an agent that ${kind}: exit code 1 with its sentence, and the certificate stays`, async () => {
    const { files, certutil, install } = await installer();
    const server: ControlServer = await openControlServer({
      ...serviceRequests(() => null),
      status: () => assert.fail(),
      recent: () => [],
      sight: () => null,
      'try-again': () => answer(server),
      stop: () => null,
    });
    after(() => server.close());
    files.write(files.control, JSON.stringify(server.address));
    const { code, stdout, stderr } = await install();
    assert.deepEqual([code, stdout, stderr], [1, TRUSTED, `${sentence}\n`]);
    assert.ok(certutil.isHeld());
  });
}
