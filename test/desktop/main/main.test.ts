import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../support/run-command.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../support/desktop/run-main.ts');

async function startMain(more: Readonly<Record<string, string>> = {}) {
  const home = tempFolder('main');
  const env = { HOME: home, AGENT_STATE_DIR: path.join(home, 'state'), CSG_NODE: process.execPath, ...more };
  const { code, stdout, stderr } = await runCommand(process.execPath, [PROGRAM], { env }).ended;
  // Exit code 13: nothing was left to run, and the entry module still waited.
  assert.notEqual(code, 13, `the entry module waits for Electron, and Electron for it: ${stderr}`);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as { opened: string[]; errors: string[]; tray: string };
}

test('the app starts once Electron is ready after its entry module', async () => {
  const seen = await startMain();
  assert.deepEqual(seen, {
    opened: ['csg-window://app/#/'],
    errors: [],
    tray: 'Content Security Agent: Not enrolled',
  });
});

test('an invalid setting is shown in an error box, and the app quits', async () => {
  const { opened, errors } = await startMain({ CSG_UPDATE_URL: 'http://updates.example' });
  assert.deepEqual(opened, []);
  assert.match(errors.join(), /^CSG_UPDATE_URL must be a URL that starts with https/);
});
