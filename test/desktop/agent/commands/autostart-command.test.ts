import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../../support/desktop/run-autostart.ts');

/** Runs the command as on a Mac, in a process of its own: it prints, and sets the exit code. */
function runOnMac(home: string, action: string, bootstrapCode = 0) {
  const args = [PROGRAM, home, action, String(bootstrapCode)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { code: status, output: stdout.trim(), launchctl: stderr.trim().split('\n') };
}

function enroll(home: string): void {
  stateFiles(path.join(home, 'state')).saveEnrollment({
    server: 'https://gateway.example',
    deviceId: 'dev_1',
    organizationId: 'org_1',
    deviceName: 'notebook',
    accountName: 'Example',
    signingKey: 'AAAA',
    enrolledAt: '2026-11-21T12:00:00.000Z',
  });
}

test('a computer that is not enrolled cannot install it, and an unknown action is rejected', () => {
  const home = tempFolder('autostart-command');
  assert.equal(runOnMac(home, 'install').output, 'This computer is not enrolled. Run "agent enroll" first.');
  assert.match(runOnMac(home, 'begin').output, /^Enter "autostart install"/);
  const { code, output } = runOnMac(home, 'status');
  assert.equal(output, 'The agent is not started automatically (launchd, user).');
  assert.equal(code, 1);
});

test('the agent is installed, reported and removed', () => {
  const home = tempFolder('autostart-command');
  enroll(home);
  const installed = runOnMac(home, 'install');
  assert.equal(installed.code, 0, installed.output);
  assert.match(installed.output, /^The agent now starts automatically \(launchd, user\)/);
  assert.deepEqual(installed.launchctl, ['bootout', 'enable', 'bootstrap']);
  assert.equal(runOnMac(home, 'status').output, 'The agent is running (launchd, user).');
  assert.equal(
    runOnMac(home, 'remove').output,
    'The agent is no longer started automatically (launchd, user).',
  );
  assert.equal(runOnMac(home, 'status').code, 1);
});

test('an error of the service manager is printed', () => {
  const home = tempFolder('autostart-command');
  enroll(home);
  const { code, output } = runOnMac(home, 'install', 5);
  assert.equal(code, 1);
  assert.match(output, /denied/);
});
