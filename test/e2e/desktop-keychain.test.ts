/** Where the real agent stores secrets: on a computer without a keychain, with one, and while it is locked. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { commandLine } from '../support/command-line.ts';
import { type AgentCommands, agentCommands } from '../support/desktop/agent-process.ts';
import { noSessionBus, openSessionBus, type SessionBus } from '../support/desktop/session-bus.ts';
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts';
import { partOf } from '../support/part.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const folder = tempFolder('keychain');
const operator = commandLine(path.join(folder, 'cloud'));
const skip = noSessionBus('keyring');
const sessions: SessionBus[] = [];
let gateway: GatewayProcess;

before(async () => {
  gateway = await startGatewayProcess({ dataDir: path.join(folder, 'cloud') });
});
after(async () => {
  for (const session of sessions) await session.close();
  await gateway.stop();
});

async function session(keychain: 'gnome-keyring' | 'none'): Promise<SessionBus> {
  const opened = await openSessionBus(keychain);
  sessions.push(opened);
  return opened;
}

async function enroll(agent: AgentCommands) {
  const { token } = await operator.json(['enrollments', 'create']);
  return {
    token: String(token),
    ended: await agent.run('enroll', '--server', gateway.address, '--token', String(token)),
  };
}

/** The agent with its defaults, with no setting for where secrets are stored. */
function agentIn(name: string, env: Readonly<Record<string, string>> = {}): AgentCommands {
  return agentCommands(path.join(folder, name), { AGENT_VAULT: '', ...env });
}

const secretsOf = (agent: AgentCommands) =>
  readdirSync(agent.stateDir).filter((name) => name.endsWith('.secret'));

const CHOSEN = partOf('desktops', ['server', 'bare', 'broken', 'keychain'], 2);

if (CHOSEN.includes('server'))
  test('without a session bus, as on servers, the device is protected and doctor says where the credential is', async () => {
    const agent = agentIn('server');
    const { ended } = await enroll(agent);
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(
      ended.stdout,
      /credential is stored in files below .* only this user may read, because this computer has no keychain/,
    );
    assert.deepEqual(secretsOf(agent), ['device-credential.secret', 'issuer-key.secret']);
    for (const name of secretsOf(agent)) {
      assert.equal(statSync(path.join(agent.stateDir, name)).mode & 0o777, 0o600, name);
    }
    const running = await agent.start();
    await running.end('SIGTERM');
    assert.match((await agent.run('doctor')).stdout, /^note {3}keychain: The credential is in files below /m);
  });

if (CHOSEN.includes('bare'))
  test('on a desktop without a keychain, secrets go into files as well', { skip }, async () => {
    const { env } = await session('none');
    const agent = agentIn('bare-desktop', env);
    const { ended } = await enroll(agent);
    assert.equal(ended.code, 0, ended.stderr);
    assert.equal(secretsOf(agent).length, 2);
  });

if (CHOSEN.includes('broken'))
  test('a bus that does not respond is no reason to write secrets into files: the token is not used', async () => {
    const agent = agentIn('broken-bus', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' });
    const { token, ended } = await enroll(agent);
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /^The keychain cannot be reached because [^\n]* The token was not used\.\n$/);
    const elsewhere = agentIn('elsewhere');
    const again = await elsewhere.run('enroll', '--server', gateway.address, '--token', token);
    assert.equal(again.code, 0, again.stderr);
  });

if (CHOSEN.includes('keychain'))
  test('with a keychain no secret is on disk; the agent waits while it is locked, and then continues', {
    skip,
  }, async () => {
    const desktop = await session('gnome-keyring');
    const agent = agentIn('desktop', desktop.env);
    const { ended } = await enroll(agent);
    assert.equal(ended.code, 0, ended.stderr);
    assert.doesNotMatch(ended.stdout, /credential is stored in files/);
    assert.deepEqual(secretsOf(agent), []);
    assert.match((await agent.run('doctor')).stdout, /^ok {5}keychain: The credential is in the keychain/m);

    await desktop.lock();
    assert.match(
      (await agent.run('doctor')).stdout,
      /^FAULT {2}keychain: The keychain is locked\. Unlock it/m,
    );
    const begun = agent.start();
    await until(
      () => agent.status(),
      ({ problem }) => /^The keychain is locked/.test(problem ?? ''),
    );
    await desktop.unlock();
    const running = await begun;
    await running.end('SIGTERM');

    // An agent started from a session without a keychain must not take the credential for lost, nor create another.
    const outside = await agentIn('desktop').run('doctor');
    assert.match(outside.stdout, /^FAULT {2}keychain: This session has no keychain/m);
    assert.deepEqual(secretsOf(agent), []);

    const gone = await agent.run('unenroll');
    assert.equal(gone.code, 0, gone.stderr);
    const left = readFileSync(path.join(desktop.home, '.local/share/keyrings/login.keyring'), 'latin1');
    assert.ok(!left.includes('device-credential'), 'the keychain still lists the credential');
  });
