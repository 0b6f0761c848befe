import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Autostart, AutostartOptions } from './autostart.ts';
import { LAUNCHD_LABEL, launchdPlist } from './launchd-plist.ts';
import { runSteps } from './run-steps.ts';
import { removeServiceFile, writeServiceFile } from './service-file.ts';

const TOOL = '/bin/launchctl';

/** macOS, launchctl(1): an agent of the user's session, or a daemon of the system. */
export function createLaunchdAutostart({
  home,
  run,
  uid,
  systemUser,
}: Pick<AutostartOptions, 'home' | 'run' | 'uid' | 'systemUser'>): Autostart {
  const isSystem = systemUser !== null;
  const folder = isSystem ? '/Library/LaunchDaemons' : path.join(home, 'Library', 'LaunchAgents');
  const file = path.join(folder, `${LAUNCHD_LABEL}.plist`);
  const domain = isSystem ? 'system' : `gui/${uid}`;
  const target = `${domain}/${LAUNCHD_LABEL}`;
  return {
    name: isSystem ? 'launchd, system' : 'launchd, user',
    async install(program) {
      // A loaded job keeps its former settings.
      await run(TOOL, ['bootout', target]);
      const problem = writeServiceFile(file, launchdPlist(program, systemUser));
      return (
        problem ??
        runSteps(run, TOOL, [
          ['enable', target],
          ['bootstrap', domain, file],
        ])
      );
    },
    async state() {
      if (!existsSync(file)) return { kind: 'absent' };
      const { code, stdout } = await run(TOOL, ['print', target]);
      const state = /^\s*state = (.+)$/m.exec(stdout)?.[1] ?? 'unknown';
      return { kind: 'installed', state: code === 0 ? state : 'not loaded' };
    },
    async remove() {
      if (!existsSync(file)) return null;
      await run(TOOL, ['bootout', target]);
      return removeServiceFile(file);
    },
  };
}
