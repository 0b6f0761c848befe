/** From a link to a protected computer, by way of a certificate that is not trusted yet; no window opens. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { BridgeReply, WindowState } from '../../apps/desktop/src/bridge/window-bridge.ts';
import { commandLine } from '../support/command-line.ts';
import { newAuthority } from '../support/desktop/certificates.ts';
import { noCurl } from '../support/desktop/curl.ts';
import { fakeGsettings } from '../support/desktop/fake-gsettings.ts';
import { buildForTests, type DesktopApp, runDesktopApp } from '../support/desktop/run-desktop-app.ts';
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { untilTrue } from '../support/until.ts';

const skip = process.platform === 'linux' ? noCurl : 'the stand-in for the system setting is one for Linux';
const OWN_PAGE = 'csg-window://app/#/';
const folder = tempFolder('app-trust');
/** The root certificates that programs of this computer trust. */
const trusted = path.join(folder, 'trusted.pem');
const gsettings = fakeGsettings();
let gateway: GatewayProcess;
let desktop: DesktopApp;

before(async () => {
  if (skip !== false) return;
  writeFileSync(trusted, (await newAuthority(['localhost'])).root.pem);
  gateway = await startGatewayProcess({ dataDir: path.join(folder, 'cloud') });
  const { token } = await commandLine(path.join(folder, 'cloud')).json(['enrollments', 'create']);
  const managed = path.join(folder, 'managed.json');
  writeFileSync(managed, JSON.stringify({ server: gateway.address, token, name: 'Managed laptop' }));
  const { dir } = await buildForTests();
  desktop = await runDesktopApp(dir, null, {
    args: ['--hidden'],
    env: {
      PATH: `${gsettings.folder}:${process.env['PATH']}`,
      AGENT_SYSTEM_PROXY: 'on',
      AGENT_MANAGED_FILE: managed,
      SSL_CERT_FILE: trusted,
    },
  });
});
after(async () => {
  await desktop?.close();
  await gateway?.stop();
});

async function state(): Promise<WindowState> {
  const reply = (await desktop.electron.invoke(OWN_PAGE, 'state')) as BridgeReply;
  assert.ok(reply.ok);
  return reply.value as WindowState;
}

/** Waits until the app reports this state. */
async function becomes(kind: string, needsTrust: boolean): Promise<WindowState> {
  let last = await state();
  const isSo = async (): Promise<boolean> => {
    last = await state();
    return last.view.kind === kind && last.status.needs_trust === needsTrust;
  };
  await untilTrue(isSo, () => `it is ${JSON.stringify(last.view)}, not ${kind}`);
  return last;
}

test('a managed file enrolls silently, and no app is redirected until the certificate is trusted', {
  skip,
}, async () => {
  const { status, view, opensAtLogin } = await becomes('unprotected', true);
  assert.equal(opensAtLogin, true);
  assert.equal(status.device_name, 'Managed laptop');
  assert.match(
    view.sentence,
    /does not trust the certificate of the agent yet, so its apps are not protected/,
  );
  assert.equal(gsettings.read('mode'), 'none');
  assert.match(desktop.electron.tray.image, /unprotected\.png$/);
  assert.deepEqual(desktop.electron.opened, [], 'no window opened automatically');
});

test('once the certificate is trusted, a retry directs apps to the agent', { skip }, async () => {
  writeFileSync(trusted, readFileSync(path.join(desktop.stateDir, 'root.pem')));
  assert.deepEqual(await desktop.electron.invoke(OWN_PAGE, 'try-again'), { ok: true, value: null });
  await becomes('protected', false);
  assert.equal(gsettings.read('mode'), 'auto');
  assert.match(desktop.electron.tray.image, /\/protected\.png$/);
});

test('quitting the app restores the setting of the computer first', { skip }, async () => {
  desktop.electron.parts.app.quit();
  await desktop.electron.quit;
  assert.equal(gsettings.read('mode'), 'none');
  assert.equal(desktop.link.control(), null);
});

test('an agent that another program started keeps running when the app quits', { skip }, async () => {
  const { agentDir } = await buildForTests();
  const agent = spawn(process.execPath, [path.join(agentDir, 'src/agent/cli.js'), 'run'], {
    env: {
      PATH: `${gsettings.folder}:${process.env['PATH']}`,
      HOME: path.dirname(desktop.stateDir),
      AGENT_STATE_DIR: desktop.stateDir,
      AGENT_VAULT: 'file',
      SSL_CERT_FILE: trusted,
    },
    stdio: 'ignore',
  });
  try {
    await untilTrue(
      () => gsettings.read('mode') === 'auto',
      () => 'the agent did not start',
    );
    const second = await runDesktopApp(path.dirname(agentDir), null, {
      args: ['--hidden'],
      env: { AGENT_STATE_DIR: desktop.stateDir },
    });
    await untilTrue(
      () => second.link.control() !== null,
      () => 'the app did not find the agent',
    );
    await untilTrue(
      () => second.link.status().pid === agent.pid,
      () => 'it is another agent',
    );
    assert.equal(second.electron.tray.menu.at(-1)?.label, 'Quit');
    await second.close();
    assert.equal(agent.exitCode, null);
    assert.equal(gsettings.read('mode'), 'auto');
  } finally {
    agent.kill('SIGTERM');
    await once(agent, 'exit');
  }
  assert.equal(gsettings.read('mode'), 'none');
});
