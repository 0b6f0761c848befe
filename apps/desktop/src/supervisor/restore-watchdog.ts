/**
 * A second process beside the agent that only waits for its end: however the agent goes, kill -9 included, the
 * machine's proxy setting is put back from the restore journal. Does nothing else and knows no secret.
 */
import { createGsettingsProxy } from '../network/gsettings-proxy.ts';
import { createNetworkGuard } from '../network/guard-network.ts';
import { createNetworksetupProxy } from '../network/networksetup-proxy.ts';
import { openRestoreJournal } from '../network/restore-journal.ts';
import type { RunCommand, SystemProxy } from '../network/system-proxy.ts';
import { createWininetProxy } from '../network/wininet-proxy.ts';
import { createRunCommand } from '../trust/run-command.ts';

/** Over the IPC channel it was spawned with. */
export type ToWatchdog =
  | {
      readonly type: 'watch';
      readonly adapter: SystemProxy['name'];
      readonly journalFile: string;
      /** For the commands: the session bus, the user's folders. */
      readonly env: Readonly<Record<string, string>>;
    }
  /** The agent has put everything back by itself. */
  | { readonly type: 'done' };

/** A setting that cannot be put back at once may be so in a moment: a session that ends, a tool that is busy. */
const TRIES = 5;
const PAUSE_MS = 500;

const ADAPTERS: Readonly<Record<SystemProxy['name'], (run: RunCommand) => SystemProxy>> = {
  gsettings: createGsettingsProxy,
  networksetup: createNetworksetupProxy,
  wininet: createWininetProxy,
};

export function runRestoreWatchdog(channel: NodeJS.Process): void {
  let watch: Extract<ToWatchdog, { type: 'watch' }> | null = null;
  channel.on('message', (message: ToWatchdog) => {
    if (message.type === 'done') channel.exit(0);
    else watch = message;
  });
  channel.on('disconnect', () => {
    if (watch === null) channel.exit(0);
    else void putBack(watch).then((isBack) => channel.exit(isBack ? 0 : 1));
  });
  // What ends the agent by its group must not end this before its work is done.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) channel.on(signal, () => {});
}

async function putBack(watch: Extract<ToWatchdog, { type: 'watch' }>): Promise<boolean> {
  const adapter = ADAPTERS[watch.adapter](createRunCommand(watch.env));
  const guard = createNetworkGuard(adapter, openRestoreJournal(watch.journalFile));
  for (let i = 0; i < TRIES; i++) {
    if ((await guard.release()).kind === 'ok') return true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return false;
}

if (import.meta.main) runRestoreWatchdog(process);
