/** Access of other users of the same computer, and of someone who copied its files. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DEVICE_CONFIG_FORMAT } from '@csg/shared/contract';
import { signedText } from '@csg/shared/text';
import type { ControlAddress } from '../../apps/desktop/src/agent/control/control-messages.ts';
import { stateFiles } from '../../apps/desktop/src/agent/settings/state-files.ts';
import { verifyConfig } from '../../apps/desktop/src/cloud-client/verify-config.ts';
import { openJournal } from '../../apps/desktop/src/journal/open-journal.ts';
import { agentCommands, type RunningAgentProcess } from '../support/desktop/agent-process.ts';
import { type AgentTestEnv, ATTACK, openAgentTestEnv } from '../support/desktop/agent-test-env.ts';
import { newAuthority } from '../support/desktop/certificates.ts';
import { noCurl } from '../support/desktop/curl.ts';
import { childOf } from '../support/desktop/processes.ts';
import { partOf } from '../support/part.ts';
import { runCommand } from '../support/run-command.ts';
import { until } from '../support/until.ts';

/** The unprivileged user of this computer: files without an owner are theirs too. */
const UNPRIVILEGED_ID = '65534';
const AS_NOBODY = [`--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups'];
const asUnprivileged = (...command: string[]) => runCommand('setpriv', [...AS_NOBODY, ...command]).ended;
const skip =
  process.getuid?.() === 0 && spawnSync('setpriv', [...AS_NOBODY, 'true']).status === 0
    ? noCurl
    : 'to be another user needs root and setpriv';

let testEnv: AgentTestEnv;
let running: RunningAgentProcess;
before(async () => {
  testEnv = await openAgentTestEnv();
  running = await testEnv.start();
  // The parent of the agent's folder is open to all, so only the folder's own permissions protect it.
  for (
    let folder = path.dirname(testEnv.agent.stateDir);
    folder !== tmpdir();
    folder = path.dirname(folder)
  ) {
    chmodSync(folder, 0o755);
  }
});
after(() => testEnv.close());

const files = (): string[] =>
  readdirSync(testEnv.agent.stateDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
const credential = (): string =>
  readFileSync(path.join(testEnv.agent.stateDir, 'device-credential.secret'), 'utf8');
const asDevice = (route: string, body?: object) =>
  fetch(`${testEnv.gateway.address}/api/v1${route}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': credential(), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const BEAT = { agent_version: '1.0.0', proxy_restarts: 0, supervisor_state: 'quiet' };

const CHOSEN = partOf('attackers', ['another user', 'forger', 'copy'], 2);

if (CHOSEN.includes('another user'))
  describe('another user of the same computer', { skip }, () => {
    test('cannot read, list or write any file of the agent', async () => {
      assert.equal(statSync(testEnv.agent.stateDir).mode & 0o077, 0, 'only its owner may access the folder');
      assert.notEqual((await asUnprivileged('ls', testEnv.agent.stateDir)).code, 0);
      assert.notEqual((await asUnprivileged('touch', path.join(testEnv.agent.stateDir, 'left'))).code, 0);
      const found = files();
      for (const name of [
        'control.json',
        'device-credential.secret',
        'issuer-key.secret',
        'journal.sqlite',
      ]) {
        assert.ok(
          found.some((file) => path.basename(file) === name),
          `${name} is among them`,
        );
      }
      for (const file of found) {
        assert.notEqual((await asUnprivileged('cat', file)).code, 0, file);
        assert.notEqual((await asUnprivileged('rm', '-f', file)).code, 0, file);
      }
    });

    test('finds no secret in the public view of the agent’s processes, and can end none of them', async () => {
      const pid = running.child.pid ?? 0;
      const pids = [pid, ...['proxy-process', 'restore-watchdog'].map((script) => childOf(pid, script))];
      const secrets = files()
        .filter((file) => file.endsWith('.secret'))
        .map((file) => readFileSync(file, 'utf8'));
      for (const one of pids.filter((found) => found !== undefined)) {
        const shown = readFileSync(`/proc/${one}/cmdline`, 'utf8');
        for (const secret of secrets) assert.ok(!shown.includes(secret), shown);
        assert.notEqual((await asUnprivileged('cat', `/proc/${one}/environ`)).code, 0);
        assert.notEqual((await asUnprivileged('kill', '-TERM', String(one))).code, 0);
      }
    });

    test('is rejected at the control channel without the token', async () => {
      const file = path.join(testEnv.agent.stateDir, 'control.json');
      const { port } = JSON.parse(readFileSync(file, 'utf8')) as ControlAddress;
      const upgrade = [
        '-H',
        'Connection: Upgrade',
        '-H',
        'Upgrade: websocket',
        '-H',
        'Sec-WebSocket-Version: 13',
      ];
      const asked = await asUnprivileged(
        ...(['curl', '-s', '--max-time', '60', '-o', '/dev/null', '-w', '%{http_code}'] as const),
        ...upgrade,
        ...['-H', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', `http://127.0.0.1:${port}/control`],
      );
      assert.equal(asked.stdout, '403');
    });

    test('is evaluated like every user when going through the proxy', async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'csg-shown-'));
      try {
        chmodSync(folder, 0o755);
        const root = path.join(folder, 'root.pem');
        cpSync(path.join(testEnv.agent.stateDir, 'root.pem'), root);
        chmodSync(root, 0o644);
        const before = testEnv.testProvider.requests.length;
        const asked = await asUnprivileged(
          ...(['curl', '-s', '--max-time', '60', '-o', '/dev/null', '-w', '%{http_code}'] as const),
          ...['-x', `http://127.0.0.1:${await testEnv.proxyPort()}`, '--cacert', root],
          ...['-H', 'content-type: application/json'],
          ...['-d', JSON.stringify({ model: 'm', messages: [{ role: 'user', content: ATTACK }] })],
          `https://localhost:${testEnv.testProvider.port}/v1/chat/completions`,
        );
        assert.match(asked.stdout, /^4\d\d$/, asked.stderr);
        assert.equal(testEnv.testProvider.requests.length, before);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });

if (CHOSEN.includes('forger'))
  describe("a user's program that asks an administrator to install the certificate", { skip }, () => {
    test('cannot add a name to it by a forged enrollment, configuration or variable', async () => {
      const forged = path.join(path.dirname(testEnv.agent.stateDir), 'forged');
      const files = stateFiles(path.join(forged, 'state'));
      const known = stateFiles(testEnv.agent.stateDir).enrollment();
      assert.ok(known.kind === 'ok');
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const signingKey = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
      files.saveEnrollment({ ...known.enrollment, signingKey });
      const journal = openJournal({
        file: path.join(testEnv.agent.stateDir, 'journal.sqlite'),
        maxEvents: 1,
        nowMs: 0,
      });
      const { signature: _, ...bundle } = JSON.parse(journal.config()?.text ?? '') as Record<string, unknown>;
      journal.close();
      const hosts = [...(bundle['hosts'] as string[]), 'bank.example'];
      const signed = Buffer.from(signedText(DEVICE_CONFIG_FORMAT, { ...bundle, hosts }));
      const signature = sign(null, signed, privateKey).toString('base64');
      const own = openJournal({ file: files.journal, maxEvents: 1, nowMs: 0 });
      own.saveConfig({ text: JSON.stringify({ ...bundle, hosts, signature }), etag: null });
      own.close();
      assert.equal(
        verifyConfig(
          JSON.stringify({ ...bundle, hosts, signature }),
          { ...known.enrollment, signingKey },
          null,
        ).kind,
        'ok',
        'genuine by the key in the file',
      );
      files.write(files.root, (await newAuthority(['api.openai.com', 'bank.example'])).root.pem);
      const before = await trustedBySystem();
      const agent = agentCommands(forged, { AGENT_EXTRA_HOSTS: 'bank.example' });
      const { code, stderr } = await agent.run('ca', 'install', '--store', 'system');
      assert.equal(code, 1);
      assert.match(
        stderr,
        /was not installed, because it also covers hosts that are not AI providers: bank\.example\./,
      );
      assert.equal(await trustedBySystem(), before);
    });
  });

/** Returns a digest of the certificates that this computer trusts. */
async function trustedBySystem(): Promise<string> {
  const { stdout } = await runCommand('sh', ['-c', 'cat /etc/ssl/certs/ca-certificates.crt | sha256sum'])
    .ended;
  return stdout;
}

if (CHOSEN.includes('copy'))
  describe('a configuration copied to another computer', () => {
    const elsewhere = mkdtempSync(path.join(tmpdir(), 'csg-stolen-'));
    after(() => rmSync(elsewhere, { recursive: true, force: true }));

    test('is worthless without the keychain: the copy has no credential, and says so', {
      skip: noCurl,
    }, async () => {
      const copy = agentCommands(path.join(elsewhere, 'keychain'));
      cpSync(testEnv.agent.stateDir, copy.stateDir, {
        recursive: true,
        filter: (file) => !/\.secret$|control\.json$|compile-cache/.test(file),
      });
      const agent = copy.launch('run');
      try {
        const status = await until(
          () => copy.status(),
          ({ running: isRunning, problem }) => isRunning && problem !== null,
        );
        assert.match(status.problem ?? '', /^The credential of this device is not in the keychain/);
        assert.deepEqual([status.proxy_port, status.channel_open], [null, false]);
      } finally {
        agent.child.kill('SIGKILL');
        await agent.ended;
      }
      for (const file of readdirSync(copy.stateDir, { recursive: true, withFileTypes: true })) {
        if (!file.isFile()) continue;
        const text = readFileSync(path.join(file.parentPath, file.name), 'latin1');
        assert.ok(!text.includes(credential()), `the credential lies in ${file.name}`);
        assert.ok(!text.includes('PRIVATE KEY'), `a key lies in ${file.name}`);
      }
    });

    test('with a device’s credential file gives access to the device’s own routes only', {
      skip: noCurl,
    }, async () => {
      assert.equal((await asDevice('/devices/heartbeat', BEAT)).status, 200);
      for (const route of ['/api-keys', '/projects', '/usage/stats', '/models']) {
        assert.equal((await asDevice(route)).status, 403, route);
      }
      const relayed = await asDevice('/chat/completions', { model: 'm', messages: [] });
      assert.equal(relayed.status, 403);
    });

    test('stops working immediately when the device is revoked', { skip: noCurl }, async () => {
      const { deviceId } = JSON.parse(
        readFileSync(path.join(testEnv.agent.stateDir, 'enrollment.json'), 'utf8'),
      ) as { deviceId: string };
      const revoked = await testEnv.operator.run(['devices', 'revoke', deviceId]);
      assert.equal(revoked.code, 0, revoked.stderr);
      const answer = await until(
        () => asDevice('/devices/heartbeat', BEAT),
        ({ status }) => status !== 200,
      );
      assert.equal(answer.status, 401);
      assert.equal(
        (await asDevice('/guard', { messages: [{ role: 'user', content: 'hello' }] })).status,
        401,
      );
    });
  });
