import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Autostart, AutostartOptions } from './autostart.ts';
import { runSteps } from './run-steps.ts';
import { removeServiceFile, writeServiceFile } from './service-file.ts';
import { systemdUnit } from './systemd-unit.ts';

const UNIT = 'content-security-agent.service';

/** systemd: a unit of the user's manager, or of the system's. */
export function createSystemdAutostart({
  home,
  run,
  systemUser,
}: Pick<AutostartOptions, 'home' | 'run' | 'systemUser'>): Autostart {
  const isSystem = systemUser !== null;
  const folder = isSystem ? '/etc/systemd/system' : path.join(home, '.config', 'systemd', 'user');
  const file = path.join(folder, UNIT);
  const scope = isSystem ? [] : ['--user'];
  const systemctl = (...steps: readonly (readonly string[])[]) =>
    runSteps(
      run,
      'systemctl',
      steps.map((step) => [...scope, ...step]),
    );
  return {
    name: isSystem ? 'systemd, system' : 'systemd, user',
    async install(program) {
      const problem = writeServiceFile(file, systemdUnit(program, systemUser));
      // `restart` also starts a stopped unit, and applies changed settings to a running one.
      return problem ?? systemctl(['daemon-reload'], ['enable', UNIT], ['restart', UNIT]);
    },
    async state() {
      if (!existsSync(file)) return { kind: 'absent' };
      const { stdout, stderr } = await run('systemctl', [...scope, 'is-active', UNIT]);
      return { kind: 'installed', state: stdout.trim() || stderr.trim() || 'unknown' };
    },
    async remove() {
      if (!existsSync(file)) return null;
      const stopped = await systemctl(['disable', '--now', UNIT]);
      return removeServiceFile(file) ?? stopped ?? systemctl(['daemon-reload']);
    },
  };
}
