import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createRunCommand } from '../../../apps/desktop/src/trust/run-command.ts';
import { openVault } from '../../../apps/desktop/src/vault/open-vault.ts';
import { noSessionBus } from '../../support/desktop/session-bus.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MODULE = path.resolve(import.meta.dirname, '../../../apps/desktop/src');
const folder = () => tempFolder('vault');

test('without a bus nothing is written', async () => {
  const run = createRunCommand({
    PATH: process.env['PATH'],
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
  });
  const vault = await openVault({
    kind: 'keychain',
    platform: 'linux',
    stateDir: folder(),
    run,
    hasBus: true,
  });
  assert.equal((await vault.state()).kind, 'unavailable');
  assert.equal((await vault.write('issuer-key', 'k')).kind, 'unavailable');
  assert.equal((await vault.read('issuer-key')).kind, 'unavailable');
});

test('uses files if configured, or if this computer has no keychain', async () => {
  const run = createRunCommand({ PATH: process.env['PATH'] });
  for (const kind of ['file', 'auto'] as const) {
    const vault = await openVault({ kind, platform: 'linux', stateDir: folder(), run, hasBus: false });
    assert.equal(vault.kind, 'file');
    assert.match(vault.location, /only this user may read/);
    assert.deepEqual(await vault.write('issuer-key', 'k'), { kind: 'ok' });
  }
});

test('does not use files if the keychain is only unreachable now', async () => {
  const run = createRunCommand({
    PATH: process.env['PATH'],
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
  });
  const place = folder();
  const vault = await openVault({ kind: 'auto', platform: 'linux', stateDir: place, run, hasBus: true });
  assert.equal(vault.kind, 'keychain');
  assert.equal((await vault.write('issuer-key', 'k')).kind, 'unavailable');
  assert.deepEqual(readdirSync(place), []);
});

const skip = noSessionBus('keyring');

/** Runs lines of a module under a session bus of its own with a real gnome-keyring that `password` unlocks. */
async function underKeyring(lines: string): Promise<string> {
  const home = folder();
  const script = `
    import { createRunCommand } from '${MODULE}/trust/run-command.ts';
    import { openVault } from '${MODULE}/vault/open-vault.ts';
    const run = createRunCommand(process.env);
    const vault = await openVault({ kind: 'keychain', platform: 'linux', stateDir: '${home}', run, hasBus: true });
    ${lines}`;
  const child = spawn(
    'dbus-run-session',
    [
      '--',
      'sh',
      '-c',
      `printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$NODE" --input-type=module-typescript -e "$SCRIPT"`,
    ],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        XDG_RUNTIME_DIR: home,
        NODE: process.execPath,
        SCRIPT: script,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  await once(child, 'close');
  return text.trim();
}

test('a real keyring stores a secret while unlocked, and reports "locked" when locked', {
  skip,
}, async () => {
  const output = await underKeyring(`
    const told = [];
    told.push((await vault.read('issuer-key')).kind, (await vault.write('issuer-key', 'k')).kind, (await vault.read('issuer-key')).secret);
    await run('gdbus', ['call', '--session', '--dest', 'org.freedesktop.secrets', '--object-path', '/org/freedesktop/secrets',
      '--method', 'org.freedesktop.Secret.Service.Lock', '["/org/freedesktop/secrets/aliases/default"]']);
    told.push((await vault.read('issuer-key')).kind);
    console.log(told.join(' '));`);
  assert.equal(output, 'missing ok k locked');
});
