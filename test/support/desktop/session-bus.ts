/** A desktop session of its own: a session bus, and a real gnome-keyring on it if requested. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { missingTool, type SystemToolName } from '../../../scripts/system-tools.ts';
import { runCommand } from '../run-command.ts';
import { tempFolder } from '../temp-folder.ts';

export interface SessionBus {
  /** Environment variables for programs of this session. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  lock(): Promise<void>;
  unlock(): Promise<void>;
  close(): Promise<void>;
}

/** A bus without activatable services: a desktop without a keychain. */
const BARE = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`;

const SIGN_IN = `
name=org.freedesktop.secrets
for i in 1 2 3 4 5 6 7 8 9 10; do
  pid=$(gdbus call --session --dest org.freedesktop.DBus --object-path / \\
    --method org.freedesktop.DBus.GetConnectionUnixProcessID $name 2>/dev/null | tr -dc '0-9 ' | awk '{print $NF}')
  if [ -n "$pid" ]; then kill $pid; while kill -0 $pid 2>/dev/null && ! grep -q ') Z' /proc/$pid/stat; do :; done; fi
  printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
  gdbus call --session --dest $name --object-path /org/freedesktop/secrets/aliases/default \\
    --method org.freedesktop.DBus.Properties.Get org.freedesktop.Secret.Collection Locked | grep -q false && exit 0
done
exit 1`;

/** Why there can be no session bus here; false if there can. */
export function noSessionBus(...tools: readonly SystemToolName[]): string | false {
  const missing = missingTool(['sessionBus', 'gsettings', ...tools]);
  if (missing !== false) return missing;
  return spawnSync('dbus-run-session', ['--', 'true']).status === 0
    ? false
    : 'a session bus cannot be started here';
}

export async function openSessionBus(keychain: 'gnome-keyring' | 'none'): Promise<SessionBus> {
  const home = tempFolder('session');
  const config = path.join(home, 'bus.conf');
  writeFileSync(config, BARE);
  const own = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: home };
  const args = keychain === 'none' ? [`--config-file=${config}`] : [];
  // Runs until its standard input ends.
  const child = spawn(
    'dbus-run-session',
    [...args, '--', 'sh', '-c', 'echo "$DBUS_SESSION_BUS_ADDRESS"; cat >/dev/null'],
    { env: own, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const ended = once(child, 'close');
  const [address] = (await once(child.stdout, 'data')) as [Buffer];
  const env = { ...own, DBUS_SESSION_BUS_ADDRESS: String(address).trim() };
  const must = async (command: string, more: readonly string[]): Promise<void> => {
    const done = await runCommand(command, more, { env }).ended;
    if (done.code !== 0) throw new Error(`${command} ${more.join(' ')}: ${done.stderr}`);
  };
  /** Unlocks as signing out and in again does. A request in between may have started the daemon without a password. */
  const unlock = (): Promise<void> => must('sh', ['-c', SIGN_IN]);
  if (keychain === 'gnome-keyring') await unlock();
  return {
    env,
    home,
    unlock,
    lock: () =>
      must('gdbus', [
        ...['call', '--session', '--dest', 'org.freedesktop.secrets'],
        ...['--object-path', '/org/freedesktop/secrets', '--method', 'org.freedesktop.Secret.Service.Lock'],
        '["/org/freedesktop/secrets/aliases/default"]',
      ]),
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
