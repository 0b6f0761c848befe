import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';

const OURS = 'http://127.0.0.1:1/proxy.pac?content-security-agent';
const source = (file: string) => path.resolve(import.meta.dirname, '../../../apps/desktop/src', file);

/** A `gsettings` that stores its values in files. */
function fakeGsettings(): string {
  const folder = tempFolder('watchdog');
  writeFileSync(path.join(folder, 'mode'), "'none'\n");
  writeFileSync(path.join(folder, 'autoconfig-url'), "''\n");
  const script = `#!/bin/sh\nif [ "$1" = get ]; then cat "${folder}/$3"; else printf '%s\\n' "$4" > "${folder}/$3"; fi\n`;
  writeFileSync(path.join(folder, 'gsettings'), script);
  chmodSync(path.join(folder, 'gsettings'), 0o755);
  return folder;
}

/** A process that protects as the agent does at its start, prints the result, and then waits. */
function startAgent(folder: string, atTheEnd: string, pacUrl = OURS) {
  const script = `
    import { spawn } from 'node:child_process';
    import { createGsettingsProxy } from '${source('network/gsettings-proxy.ts')}';
    import { createNetworkGuard } from '${source('network/guard-network.ts')}';
    import { openRestoreJournal } from '${source('network/restore-journal.ts')}';
    import { createRunCommand } from '${source('trust/run-command.ts')}';
    const env = { PATH: '${folder}:' + process.env.PATH };
    const journalFile = '${folder}/restore.json';
    const watchdog = spawn(process.execPath, ['${source('supervisor/restore-watchdog.ts')}', 'gsettings', journalFile], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
      env,
    });
    const guard = createNetworkGuard(createGsettingsProxy(createRunCommand(env)), openRestoreJournal(journalFile));
    const outcome = await guard.protect('${pacUrl}');
    console.log(outcome.kind);
    ${atTheEnd}`;
  return spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const skip = process.platform === 'win32' ? 'a shell script stands in for the command' : false;

test('when the agent is killed with -9 the setting is restored', { skip }, async () => {
  const folder = fakeGsettings();
  const mode = () => readFileSync(path.join(folder, 'mode'), 'utf8').trim();
  const agent = startAgent(folder, 'setInterval(() => {}, 1000);');
  const [output] = await once(agent.stdout, 'data');
  assert.equal(String(output).trim(), 'ok');
  assert.equal(mode(), "'auto'");
  agent.kill('SIGKILL');
  // The watchdog has the same pipe: it closes when both are gone.
  await once(agent.stdout, 'close');
  assert.equal(mode(), "'none'");
  assert.equal(existsSync(path.join(folder, 'restore.json')), false);
});

test('when the agent is killed while its policy fails closed, AI hosts stay unreachable', {
  skip,
}, async () => {
  const folder = fakeGsettings();
  const closed = 'data:application/x-ns-proxy-autoconfig;name=content-security-agent;base64,Ly8=';
  const agent = startAgent(folder, 'setInterval(() => {}, 1000);', closed);
  await once(agent.stdout, 'data');
  agent.kill('SIGKILL');
  await once(agent.stdout, 'close');
  assert.equal(readFileSync(path.join(folder, 'autoconfig-url'), 'utf8').trim(), `'${closed}'`);
  assert.ok(existsSync(path.join(folder, 'restore.json')), 'the restore entry stays');
});

test('after a clean exit of the agent the setting is left alone', { skip }, async () => {
  const folder = fakeGsettings();
  const agent = startAgent(folder, "watchdog.send({ type: 'done' }, () => process.exit(0));");
  agent.stdout.resume();
  await once(agent.stdout, 'close');
  assert.equal(readFileSync(path.join(folder, 'mode'), 'utf8').trim(), "'auto'");
});
