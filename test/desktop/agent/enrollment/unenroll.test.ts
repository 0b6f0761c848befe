import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import path from 'node:path';
import { after, test } from 'node:test';
import { LAUNCHD_LABEL } from '../../../../apps/desktop/src/agent/autostart/launchd-plist.ts';
import { openControlServer } from '../../../../apps/desktop/src/agent/control/control-server.ts';
import { unenroll } from '../../../../apps/desktop/src/agent/enrollment/unenroll.ts';
import { openAgentParts } from '../../../../apps/desktop/src/agent/host/open-agent.ts';
import { serviceRequests } from '../../../../apps/desktop/src/agent/service/service-requests.ts';
import { readSettings } from '../../../../apps/desktop/src/agent/settings/read-settings.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { PAC_MARK } from '../../../../apps/desktop/src/network/pac-mark.ts';
import { openRestoreJournal } from '../../../../apps/desktop/src/network/restore-journal.ts';
import { SECRET_NAMES } from '../../../../apps/desktop/src/vault/vault.ts';
import { agentCommands } from '../../../support/desktop/agent-process.ts';
import { newAuthority } from '../../../support/desktop/certificates.ts';
import { fakeCertutil } from '../../../support/desktop/fake-certutil.ts';
import { fakeGsettings } from '../../../support/desktop/fake-gsettings.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const REVOKED = { status: 200, body: { device_id: 'dev_1', revoked: true } };

/** A computer enrolled with a stand-in service on loopback, which answers every request with `reply`. */
async function enrolledComputer(reply: { readonly status: number; readonly body: object } = REVOKED) {
  const requests: string[] = [];
  const service = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['x-api-key']}`);
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.body));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  after(() => service.close());
  const home = tempFolder('unenroll');
  const agent = agentCommands(home, { PATH: '' });
  const files = stateFiles(agent.stateDir);
  const server = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  files.saveEnrollment({
    server,
    deviceId: 'dev_1',
    organizationId: 'org_1',
    deviceName: 'notebook',
    accountName: 'Example',
    signingKey: 'key',
    enrolledAt: '2026-11-23T00:00:00.000Z',
  });
  for (const name of SECRET_NAMES) files.write(secretOf(agent.stateDir, name), 'a secret');
  return { home, agent, files, server, requests };
}

type Computer = Awaited<ReturnType<typeof enrolledComputer>>;

const secretOf = (stateDir: string, name: string): string => path.join(stateDir, `${name}.secret`);

const secretsIn = (stateDir: string): readonly string[] =>
  SECRET_NAMES.filter((name) => existsSync(secretOf(stateDir, name)));

const linesOf = (text: string): readonly string[] => text.trim().split('\n');

const REVOCATION = 'POST /api/v1/devices/unenroll a secret';

const keptFiles = ({ agent }: Computer): string =>
  `The files of the agent in ${agent.stateDir} were kept. Run "agent unenroll" again when this is solved.`;

/** What a run that could not remove everything says about the rest. */
const removedAnyway = ({ agent, server }: Computer): readonly string[] => [
  `The credential was removed from files below ${agent.stateDir} that only this user may read.`,
  `${server} has revoked the device dev_1.`,
];

test('removes a damaged enrollment, and keeps and names a file of the user', async () => {
  const agent = agentCommands(tempFolder('unenroll'));
  mkdirSync(agent.stateDir, { recursive: true });
  const notes = path.join(agent.stateDir, 'notes.txt');
  writeFileSync(notes, 'mine');
  writeFileSync(path.join(agent.stateDir, 'enrollment.json'), '{"half');
  const { code, stdout, stderr } = await agent.run('unenroll');
  assert.equal(code, 1, 'a file remains');
  assert.ok(stdout.includes(`The files of the agent in ${agent.stateDir} were removed.`), stdout);
  assert.equal(stderr.trim(), `${notes} does not belong to the agent and was kept.`);
  assert.deepEqual(readdirSync(agent.stateDir), ['notes.txt']);
});

/** Runs it in this process, as on a Mac that starts the agent automatically, with short limits. */
async function unenrollWithAgent(computer: Computer, address: object) {
  const { home, agent, files } = computer;
  files.write(files.control, JSON.stringify(address));
  const folder = path.join(home, 'Library', 'LaunchAgents');
  mkdirSync(folder, { recursive: true });
  const plist = path.join(folder, `${LAUNCHD_LABEL}.plist`);
  writeFileSync(plist, '');
  const env = { HOME: home, AGENT_STATE_DIR: agent.stateDir, AGENT_VAULT: 'file' };
  const parts = await openAgentParts(readSettings({ ...env, AGENT_SYSTEM_PROXY: 'off' }, 'linux'), env);
  const mac = {
    ...parts,
    settings: { ...parts.settings, platform: 'darwin' as const },
    run: async () => ({ code: 0, stdout: '', stderr: '' }),
  };
  const times = { connectMs: 200, callMs: 200, noticeMs: 100 };
  const report = await unenroll(mac, { times }, 200);
  assert.equal(existsSync(plist), false, 'the autostart would start the agent again');
  return report;
}

function assertOnlyAutostartRemoved({ agent, requests }: Computer, report: object): void {
  assert.deepEqual(report, {
    done: ['The agent is no longer started automatically (launchd, user).'],
    left: [`The agent does not stop. End the process ${process.pid}, then run "agent unenroll" again.`],
  });
  assert.deepEqual(secretsIn(agent.stateDir), SECRET_NAMES);
  assert.ok(existsSync(path.join(agent.stateDir, 'enrollment.json')));
  assert.deepEqual(requests, [], 'the device stays enrolled at the service');
}

for (const [kind, stop] of [
  ['does not respond', () => new Promise<null>(() => {})],
  ['confirms that it stops, but keeps running', () => null],
] as const) {
  test(`an agent that ${kind} is named with its process, only its autostart is removed, and both are reported`, async () => {
    const computer = await enrolledComputer();
    const control = await openControlServer({
      ...serviceRequests(() => null),
      status: () => assert.fail(),
      recent: () => [],
      sight: () => null,
      'try-again': () => null,
      stop,
    });
    after(() => control.close());
    assertOnlyAutostartRemoved(computer, await unenrollWithAgent(computer, control.address));
  });
}

test('a suspended agent, which accepts no connection, is named with its process, and its files are kept', async () => {
  const sockets: Socket[] = [];
  const suspended = createTcpServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(suspended, 'listening');
  after(() => {
    for (const socket of sockets) socket.destroy();
    suspended.close();
  });
  const computer = await enrolledComputer();
  const { port } = suspended.address() as AddressInfo;
  const report = await unenrollWithAgent(computer, { port, token: 't', pid: process.pid });
  assertOnlyAutostartRemoved(computer, report);
});

test('an address file of an agent that ended does not keep its files, even if its process id is in use again', async () => {
  const closed = createTcpServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  const computer = await enrolledComputer();
  const { left } = await unenrollWithAgent(computer, { port, token: 't', pid: process.pid });
  assert.deepEqual(left, []);
  assert.equal(existsSync(computer.agent.stateDir), false);
});

test('a proxy setting that cannot be restored: exit code 1, the reason, and a second run restores it', async () => {
  const computer = await enrolledComputer();
  const { agent, files, server, requests } = computer;
  const url = `http://127.0.0.1:1/${PAC_MARK}`;
  openRestoreJournal(files.restore).write({
    adapter: 'gsettings',
    before: { mode: 'none', 'autoconfig-url': '' },
    ours: { mode: 'auto', 'autoconfig-url': url },
  });
  const broken = tempFolder('gsettings');
  writeFileSync(path.join(broken, 'gsettings'), '#!/bin/sh\necho "No session bus" >&2\nexit 1\n', {
    mode: 0o755,
  });
  const changing = agent.with({ AGENT_SYSTEM_PROXY: 'on' });
  const first = await changing.with({ PATH: broken }).run('unenroll');
  assert.equal(first.code, 1);
  assert.deepEqual(linesOf(first.stderr), [
    'The proxy setting cannot be read: No session bus',
    keptFiles(computer),
  ]);
  assert.deepEqual(linesOf(first.stdout), removedAnyway(computer));
  assert.deepEqual(requests, [REVOCATION]);
  assert.deepEqual(secretsIn(agent.stateDir), []);

  const gsettings = fakeGsettings();
  gsettings.set('mode', 'auto');
  gsettings.set('autoconfig-url', url);
  const fixed = { PATH: `${gsettings.folder}:${process.env['PATH']}` };
  const second = await changing.with(fixed).run('unenroll');
  assert.deepEqual([second.code, second.stderr], [0, '']);
  assert.equal(gsettings.read('mode'), 'none');
  assert.equal(
    linesOf(second.stdout).at(-1),
    `This computer had no credential of the device dev_1 anymore. If ${server} still lists it, ask an administrator to revoke it there.`,
  );
  assert.deepEqual(requests, [REVOCATION], 'there is no credential to call the service with');
  assert.equal(existsSync(agent.stateDir), false);
});

for (const [title, onRemove, sentence] of [
  [
    'a store that rejects the removal: exit code 1 with its reason',
    'echo denied >&2; exit 255',
    (home: string) =>
      `Chromium's store ${path.join(home, '.local', 'share', 'pki', 'nssdb')} was not changed: denied`,
  ],
  [
    'a certificate still installed after its removal: exit code 1 with the store to look in',
    'exit 0',
    () => 'The certificate is still in the nss store. Remove it there manually.',
  ],
] as const) {
  test(`${title}, and a second run finishes once it is gone`, async () => {
    const computer = await enrolledComputer();
    const { home, agent, files } = computer;
    files.write(files.root, (await newAuthority(['api.openai.com'])).root.pem);
    const certutil = fakeCertutil(onRemove);
    certutil.hold();
    const trusting = agent.with({ PATH: certutil.folder });
    const first = await trusting.run('unenroll');
    assert.equal(first.code, 1);
    assert.deepEqual(linesOf(first.stderr), [sentence(home), keptFiles(computer)]);
    assert.deepEqual(linesOf(first.stdout), removedAnyway(computer));
    assert.ok(existsSync(files.root), 'the second run must know which certificate it is');

    certutil.release();
    const second = await trusting.run('unenroll');
    assert.deepEqual([second.code, second.stderr], [0, '']);
    assert.equal(existsSync(agent.stateDir), false);
  });
}

test('a secret that cannot be removed: exit code 1 with the reason, and the other secrets are removed', async () => {
  const computer = await enrolledComputer();
  const { agent, files, server } = computer;
  const stuck = secretOf(agent.stateDir, 'issuer-key');
  files.forget(stuck);
  mkdirSync(stuck);
  const first = await agent.run('unenroll');
  assert.equal(first.code, 1);
  assert.deepEqual(linesOf(first.stderr), [
    `The folder of secrets ${agent.stateDir} cannot be used (ERR_FS_EISDIR).`,
    keptFiles(computer),
  ]);
  assert.deepEqual(linesOf(first.stdout), [`${server} has revoked the device dev_1.`]);
  assert.deepEqual(secretsIn(agent.stateDir), ['issuer-key']);

  rmdirSync(stuck);
  const second = await agent.run('unenroll');
  assert.deepEqual([second.code, second.stderr], [0, '']);
  assert.equal(existsSync(agent.stateDir), false);
});

test('a credential that cannot be read: exit code 1, and the device that stays listed is named', async () => {
  const computer = await enrolledComputer();
  const { agent, files, server, requests } = computer;
  const stuck = secretOf(agent.stateDir, 'device-credential');
  files.forget(stuck);
  mkdirSync(stuck);
  const { code, stdout, stderr } = await agent.run('unenroll');
  assert.equal(code, 1);
  assert.match(stderr, /^The folder of secrets \S+ cannot be used \(ERR_FS_EISDIR\)\.$/m);
  assert.deepEqual(linesOf(stdout), [
    `The credential could not be read, so ${server} still lists the device dev_1. Ask an administrator to revoke it there.`,
  ]);
  assert.deepEqual(requests, []);
});

for (const [title, status, sentence] of [
  ['a device already revoked', 401, 'no longer knows the device dev_1.'],
  [
    'a service that does not allow it',
    403,
    'did not revoke the device dev_1 (status 403: Not from this network.). Ask an administrator to revoke it there.',
  ],
  [
    'a service with an internal error',
    500,
    'could not be reached and still lists the device dev_1. Ask an administrator to revoke it there.',
  ],
] as const) {
  test(`${title} (${status}): exit code 0, everything is removed here, and the last line says so`, async () => {
    const error = { code: 'denied', message: 'Not from this network.' };
    const { agent, server, requests } = await enrolledComputer({ status, body: { error } });
    const { code, stdout, stderr } = await agent.run('unenroll');
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(requests, [REVOCATION]);
    assert.equal(linesOf(stdout).at(-1), `${server} ${sentence}`);
    assert.equal(existsSync(agent.stateDir), false);
  });
}
