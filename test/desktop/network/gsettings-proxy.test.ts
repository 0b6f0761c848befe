import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { missingTool } from '../../../scripts/system-tools.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { HANG_LIMIT_MS } from '../../support/until.ts';

const missing = missingTool(['sessionBus', 'gsettings']);
const source = (file: string) => path.resolve(import.meta.dirname, '../../../apps/desktop/src', file);

/** Runs in a session of its own, with or without a bus. */
function inSession(withBus: boolean, code: string): unknown {
  const home = tempFolder('session');
  const script = `
    import { createGsettingsProxy } from '${source('network/gsettings-proxy.ts')}';
    import { createNetworkGuard } from '${source('network/guard-network.ts')}';
    import { openRestoreJournal } from '${source('network/restore-journal.ts')}';
    import { createRunCommand } from '${source('trust/run-command.ts')}';
    const adapter = createGsettingsProxy(createRunCommand(process.env));
    const guard = createNetworkGuard(adapter, openRestoreJournal(process.env.HOME + '/restore.json'));
    const url = "http://127.0.0.1:1/proxy.pac?content-security-agent&it's";
    ${code}`;
  const node = [process.execPath, '--input-type=module-typescript', '-e', script];
  const command = withBus ? ['dbus-run-session', '--', ...node] : node;
  const { DBUS_SESSION_BUS_ADDRESS: _bus, ...rest } = process.env;
  const env = {
    ...rest,
    HOME: home,
    XDG_CONFIG_HOME: home,
    ...(!withBus && { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }),
  };
  const ran = spawnSync(command[0]!, command.slice(1), { env, encoding: 'utf8', timeout: HANG_LIMIT_MS });
  assert.equal(ran.status, 0, ran.stderr);
  return JSON.parse(ran.stdout);
}

test('the real gsettings on a real bus: set, read back, restore', { skip: missing }, () => {
  const seen = inSession(
    true,
    `const before = await adapter.read();
     const set = await guard.protect(url);
     const during = await adapter.read();
     const released = await guard.release();
     console.log(JSON.stringify({ before, set, during, released, after: await adapter.read() }));`,
  );
  const none = { kind: 'ok', value: { mode: 'none', 'autoconfig-url': '' } };
  assert.deepEqual(seen, {
    before: none,
    set: { kind: 'ok', value: null },
    during: {
      kind: 'ok',
      value: { mode: 'auto', 'autoconfig-url': "http://127.0.0.1:1/proxy.pac?content-security-agent&it's" },
    },
    released: { kind: 'ok', value: { left: [] } },
    after: none,
  });
});

test('without a bus nothing is stored, and that is reported', { skip: missing }, () => {
  const set = inSession(false, 'console.log(JSON.stringify(await guard.protect(url)));') as { kind: string };
  assert.equal(set.kind, 'failed');
});
