import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { AgentLink } from '../../../apps/desktop/src/main/agent-link.ts';
import { readAppSettings } from '../../../apps/desktop/src/main/read-app-settings.ts';
import { runApp } from '../../../apps/desktop/src/main/run-app.ts';
import { type StandInElectron, standInElectron } from '../../support/desktop/stand-in-electron.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const OWN = 'csg-window://app/#/';

async function start(
  args: readonly string[],
  prepare: (electron: StandInElectron) => void = () => {},
  platform: NodeJS.Platform = 'linux',
): Promise<{ electron: StandInElectron; link: AgentLink | null }> {
  const home = tempFolder('run-app');
  const electron = await standInElectron(null);
  prepare(electron);
  const settings = readAppSettings({
    env: { HOME: home, AGENT_STATE_DIR: path.join(home, 'state'), CSG_NODE: process.execPath },
    platform,
    appDir: '/app',
    resourcesDir: '/resources',
  });
  const starting = runApp(electron.parts, { settings, args, program: '/opt/app', updater: null });
  electron.entryEvaluated();
  return { electron, link: await starting };
}

async function end(electron: StandInElectron): Promise<void> {
  electron.parts.app.quit();
  await electron.quit;
  await electron.close();
}

test('started by the user the app shows its window, started at login only its tray icon', async () => {
  const shown = await start([]);
  assert.deepEqual(shown.electron.opened, ['csg-window://app/#/']);
  await end(shown.electron);
  const hidden = await start(['--hidden']);
  assert.deepEqual(hidden.electron.opened, []);
  assert.equal(hidden.electron.tray.toolTip, 'Content Security Agent: Not enrolled');
  hidden.electron.app.emit('second-instance', {}, ['program']);
  assert.deepEqual(hidden.electron.opened, ['csg-window://app/#/']);
  await end(hidden.electron);
});

test('a link that starts the app on macOS opens its page', async () => {
  let wasOpened = false;
  const { electron } = await start([], ({ app }) => {
    Object.assign(app, {
      async whenReady() {
        if (app.listenerCount('open-url') > 0 && !wasOpened) {
          wasOpened = true;
          app.emit('open-url', { preventDefault() {} }, 'csg://enroll?server=https://g.example&token=t');
        }
      },
    });
  });
  assert.deepEqual(electron.opened, ['csg-window://app/#/enroll?server=https%3A%2F%2Fg.example&token=t']);
  await end(electron);
});
test('a second instance quits immediately', async () => {
  let quits = 0;
  const { electron, link } = await start([], ({ parts }) => {
    Object.assign(parts.app, { requestSingleInstanceLock: () => false, quit: () => quits++ });
  });
  assert.equal(link, null);
  assert.equal(quits, 1);
  assert.equal(electron.tray.image, '');
  await electron.close();
});

test('only the window’s own page can invoke known calls; errors are messages', async () => {
  const { electron } = await start(['--hidden']);
  const strange = { ok: false, message: 'Calls from this page are not allowed.' };
  for (const url of ['https://evil.example/', 'csg-window://other/', 'csg-window:app', '']) {
    assert.deepEqual(await electron.invoke(url, 'state'), strange, url);
  }
  const unknown = { ok: false, message: 'Unknown call.' };
  for (const call of ['stop', 'constructor', '__proto__', null, {}]) {
    assert.deepEqual(await electron.invoke(OWN, call), unknown, String(call));
  }
  const state = (await electron.invoke(OWN, 'state')) as { ok: true; value: { view: { title: string } } };
  assert.equal(state.value.view.title, 'Not enrolled');
  assert.deepEqual(await electron.invoke(OWN, 'requests'), {
    ok: false,
    message: 'The agent is not running. See Diagnostics.',
  });
  assert.deepEqual(await electron.invoke(OWN, 'save-diagnostics'), { ok: true, value: null });
  assert.equal(((await electron.invoke(OWN, 'enroll', null)) as { ok: boolean }).ok, false);
  await end(electron);
});

test('quitting waits until the agent has restored the settings', async () => {
  const { electron, link } = await start(['--hidden']);
  const order: string[] = [];
  const { end: endLink } = link!;
  void electron.quit.then(() => order.push('quit'));
  electron.parts.app.quit();
  await endLink().then(() => order.push('agent ended'));
  await electron.quit;
  assert.deepEqual(order, ['agent ended', 'quit']);
  await electron.close();
});

test('macOS: a login item shows no window, and a log-out is not canceled', async () => {
  const prepare = (electron: StandInElectron): void => {
    electron.wasOpenedAtLogin = true;
  };
  const { electron, link } = await start([], prepare, 'darwin');
  assert.deepEqual(electron.opened, []);
  electron.powerMonitor.emit('shutdown');
  electron.parts.app.quit();
  const first = await Promise.race([
    electron.quit.then(() => 'quit'),
    new Promise((r) => setImmediate(r, 'waits')),
  ]);
  assert.equal(first, 'quit', 'immediately, because a prevented quit cancels the log-out');
  await link?.end();
  await electron.close();
});
