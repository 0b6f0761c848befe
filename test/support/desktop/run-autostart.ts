/**
 * Runs `agent autostart` as on a Mac. Arguments: HOME ACTION, and the exit code of `launchctl bootstrap`. Prints its
 * steps to standard error.
 */
import path from 'node:path';
import { changeAutostart } from '../../../apps/desktop/src/agent/commands/autostart-command.ts';
import type { AgentParts } from '../../../apps/desktop/src/agent/host/open-agent.ts';
import { stateFiles } from '../../../apps/desktop/src/agent/settings/state-files.ts';

const [home = '', action = '', bootstrapCode = '0'] = process.argv.slice(2);
const parts = {
  settings: { platform: 'darwin', home },
  files: stateFiles(path.join(home, 'state')),
  env: {},
  run: async (_file: string, args: readonly string[]) => {
    console.error(args[0]);
    return {
      code: args[0] === 'bootstrap' ? Number(bootstrapCode) : 0,
      stdout: 'state = running',
      stderr: 'denied',
    };
  },
};
try {
  await changeAutostart(parts as unknown as AgentParts, action, {});
} catch (error) {
  console.log((error as Error).message);
  process.exitCode = 1;
}
