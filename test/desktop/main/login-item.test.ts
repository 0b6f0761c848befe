import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createLoginItem } from '../../../apps/desktop/src/main/login-item.ts';
import { standInElectron } from '../../support/desktop/stand-in-electron.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('Linux: a file in the autostart folder, quoted as specified', async () => {
  const electron = await standInElectron(null);
  const home = tempFolder('login');
  const program = '/opt/My "App" 100%/a$b';
  const place = { platform: 'linux', home, configHome: undefined, program } as const;
  const item = createLoginItem(electron.parts.app, place);
  assert.equal(item.isOn(), false);
  item.set(true);
  assert.equal(item.isOn(), true);
  const entry = readFileSync(path.join(home, '.config/autostart/content-security-agent.desktop'), 'utf8');
  assert.match(entry, /^Exec="\/opt\/My \\\\"App\\\\" 100%%\/a\\\\\$b" --hidden$/m);
  item.set(false);
  item.set(false);
  assert.equal(item.isOn(), false);
  await electron.close();
});

test('other systems: the setting of Electron, without a window', async () => {
  const electron = await standInElectron(null);
  const place = { platform: 'darwin', home: '/', configHome: undefined, program: '/x' } as const;
  const item = createLoginItem(electron.parts.app, place);
  item.set(true);
  assert.deepEqual(electron.loginItems, [{ openAtLogin: true, args: ['--hidden'] }]);
  assert.equal(item.isOn(), true);
  await electron.close();
});
