/**
 * The app in the real Electron, where its binary is installed; elsewhere desktop-window.test.ts uses the same pages.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { _electron as electron } from 'playwright-core';
import { findElectron } from '../../scripts/desktop.ts';
import { buildForTests } from '../support/desktop/run-desktop-app.ts';
import { tempFolder } from '../support/temp-folder.ts';

const found = findElectron();
const canShow = process.platform !== 'linux' || process.env['DISPLAY'] !== undefined;
const skip =
  found.kind === 'missing'
    ? `no Electron here: ${found.why}`
    : canShow
      ? false
      : 'no screen here: run it under xvfb-run';

test('the real app opens its window, isolated, and shows the agent’s status', { skip }, async () => {
  assert.ok(found.kind === 'ok');
  const { appDir, agentDir } = await buildForTests();
  const home = tempFolder('electron-home');
  const app = await electron.launch({
    executablePath: found.file,
    args: ['--no-sandbox', appDir],
    env: {
      ...(process.env as Record<string, string>),
      HOME: home,
      AGENT_STATE_DIR: path.join(home, 'state'),
      AGENT_VAULT: 'file',
      AGENT_SYSTEM_PROXY: 'off',
      CSG_NODE: process.execPath,
      CSG_AGENT: path.join(agentDir, 'src/agent/cli.js'),
    },
  });
  try {
    const page = await app.firstWindow();
    await page.getByRole('heading', { level: 1, name: 'Enroll this computer' }).waitFor();
    assert.equal(page.url().startsWith('csg-window://app/'), true);
    assert.deepEqual(
      await page.evaluate('[typeof require, typeof process, Object.keys(agent).join()]'),
      ['undefined', 'undefined', 'invoke,onEvent'],
      'the page sees the bridge and nothing of Node or Electron',
    );
    assert.match(
      String(await page.evaluate('fetch("https://example.com").catch(String)')),
      /Failed to fetch/,
    );
  } finally {
    await app.close();
  }
});
