/** Common to every service manager: install, start, stop, remove, and an error in one sentence if a tool fails. */
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { agentSettingsIn } from '../../../../apps/desktop/src/agent/autostart/agent-program.ts';
import type { Autostart, AutostartOptions } from '../../../../apps/desktop/src/agent/autostart/autostart.ts';
import {
  autostartsOf,
  createAutostart,
} from '../../../../apps/desktop/src/agent/autostart/create-autostart.ts';
import { createSystemdAutostart } from '../../../../apps/desktop/src/agent/autostart/systemd-autostart.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const PROGRAM = {
  command: ['/opt/node', '/opt/agent/cli.ts', 'run'],
  env: { AGENT_STATE_DIR: '/home/alice/state' },
  user: 'alice',
  enrollmentFile: '/home/alice/state/enrollment.json',
};

/** A service manager that knows what is installed and what runs; `fails`: a verb that it rejects. */
function manager(fails?: string) {
  const calls: string[] = [];
  let isInstalled = false;
  let isRunning = false;
  const run: AutostartOptions['run'] = async (file, args) => {
    const line = [path.basename(file), ...args].join(' ');
    calls.push(line);
    const done = (stdout = '') => ({ code: 0, stdout, stderr: '' });
    if (fails !== undefined && line.includes(fails))
      return { code: 1, stdout: '', stderr: 'Access denied\n' };
    if (/ enable| \/Create/.test(line)) isInstalled = true;
    if (/ restart| bootstrap| \/Run/.test(line)) isRunning = true;
    if (/ disable --now| bootout| \/End/.test(line)) isRunning = false;
    if (/ \/Delete/.test(line)) isInstalled = false;
    if (/ is-active/.test(line)) return done(isRunning ? 'active\n' : 'inactive\n');
    if (/ print/.test(line))
      return done(`gui/501/x = {\n\tstate = ${isRunning ? 'running' : 'waiting'}\n}\n`);
    if (/ \/Query/.test(line))
      return isInstalled
        ? done(`"\\x","N/A","${isRunning ? 'Running' : 'Ready'}"\r\n`)
        : { ...done(), code: 1 };
    return done();
  };
  return { run, calls, isRunning: () => isRunning };
}

type Platform = 'linux' | 'darwin' | 'win32';
const RUNS: Readonly<Record<Platform, string>> = { linux: 'active', darwin: 'running', win32: 'Running' };

function autostartOf(platform: Platform, home: string, run: AutostartOptions['run']): Autostart {
  const options = { platform, home, run, uid: 501, systemUser: null };
  // Systemd may not run on this computer.
  const made = platform === 'linux' ? createSystemdAutostart(options) : createAutostart(options);
  assert.notEqual(typeof made, 'string');
  return made as Autostart;
}

for (const platform of ['linux', 'darwin', 'win32'] as const) {
  test(`${platform}: installing starts it and removing leaves nothing, each also when repeated`, async () => {
    const home = tempFolder('autostart');
    const { run, isRunning } = manager();
    const autostart = autostartOf(platform, home, run);
    assert.deepEqual(await autostart.state(), { kind: 'absent' });
    for (let i = 0; i < 2; i++) {
      assert.equal(await autostart.install(PROGRAM), null);
      assert.deepEqual(await autostart.state(), { kind: 'installed', state: RUNS[platform] });
    }
    for (let i = 0; i < 2; i++) assert.equal(await autostart.remove(), null);
    assert.deepEqual(await autostart.state(), { kind: 'absent' });
    assert.equal(isRunning(), false);
  });
}

const STARTS = { linux: 'restart', darwin: 'bootstrap', win32: '/Create' } as const;
for (const platform of ['linux', 'darwin', 'win32'] as const) {
  test(`${platform}: an error contains the tool's own reason`, async () => {
    const autostart = autostartOf(platform, tempFolder('autostart'), manager(STARTS[platform]).run);
    assert.match((await autostart.install(PROGRAM)) ?? '', /failed: Access denied$/);
  });
}

test('the file is readable by its owner only: settings may contain a password', async () => {
  const home = tempFolder('autostart');
  const autostart = autostartOf('linux', home, manager().run);
  assert.equal(await autostart.install(PROGRAM), null);
  const file = path.join(home, '.config/systemd/user/content-security-agent.service');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(await autostart.remove(), null);
  assert.equal(existsSync(file), false);
});

test('on Windows, installing for the whole system is rejected in one sentence', () => {
  const options = { home: '/', run: manager().run, uid: 0, systemUser: 'root' };
  assert.match(String(createAutostart({ ...options, platform: 'win32' })), /Omit --system/);
});

test('without systemd, Linux is rejected, and the message says what to do', {
  skip: existsSync('/run/systemd/system') && 'systemd runs on this computer',
}, () => {
  const options = { home: '/', run: manager().run, uid: 501, systemUser: null };
  assert.match(
    String(createAutostart({ ...options, platform: 'linux' })),
    /systemd.* service manager .*"agent run"\.$/,
  );
  assert.deepEqual(autostartsOf({ ...options, platform: 'linux' }), [], 'nothing to remove');
});

test('only AGENT_ settings with a value are passed on', () => {
  const env = { AGENT_STATE_DIR: '/x', AGENT_VAULT: '', PATH: '/bin', SECRET: 's' };
  assert.deepEqual(agentSettingsIn(env), { AGENT_STATE_DIR: '/x' });
});
