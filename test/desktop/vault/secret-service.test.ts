import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRunCommand } from '../../../apps/desktop/src/trust/run-command.ts';
import { type RunCommand, readSecretServiceState } from '../../../apps/desktop/src/vault/secret-service.ts';

const ran = (code: number | null, stdout = '', stderr = '') => ({ code, stdout, stderr });

/** A `gdbus` with a recorded response for each of the two queries. */
function bus(alias: ReturnType<typeof ran>, locked = ran(1)): RunCommand {
  return async (_file, args) => (args.includes('default') ? alias : locked);
}
const LOGIN = ran(0, "(objectpath '/org/freedesktop/secrets/collection/login',)\n");

test('distinguishes unlocked, locked and absent, each with one sentence', async () => {
  assert.deepEqual(await readSecretServiceState(bus(LOGIN, ran(0, '(<false>,)\n'))), { kind: 'ok' });
  const locked = await readSecretServiceState(bus(LOGIN, ran(0, '(<true>,)\n')));
  assert.equal(locked.kind, 'locked');
  const absent = await readSecretServiceState(
    bus(ran(1, '', 'Error: GDBus.Error:org.freedesktop.DBus.Error.ServiceUnknown: The name …')),
  );
  assert.equal(absent.kind, 'unavailable');
  assert.match(absent.kind === 'unavailable' ? absent.reason : '', /no keychain/);
  assert.equal(absent.kind === 'unavailable' && absent.isAbsent, true);
  const noBus = await readSecretServiceState(bus(LOGIN), false);
  assert.match(noBus.kind === 'unavailable' && noBus.isAbsent ? noBus.reason : '', /no session bus/);
  const noTool = await readSecretServiceState(bus(ran(null)));
  assert.match(noTool.kind === 'unavailable' ? noTool.reason : '', /gdbus/);
  const noDefault = await readSecretServiceState(bus(ran(0, "(objectpath '/',)\n")));
  assert.match(noDefault.kind === 'unavailable' ? noDefault.reason : '', /no default keychain/);
});

test('the real gdbus without a session bus gives unavailable, never the kernel keyring', async () => {
  const run = createRunCommand({
    PATH: process.env['PATH'],
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
  });
  assert.equal((await readSecretServiceState(run)).kind, 'unavailable');
});
