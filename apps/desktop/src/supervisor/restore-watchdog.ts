/**
 * A second process beside the agent that only waits for its end: however the agent goes, kill -9 included, the
 * machine's proxy setting is put back from the restore journal, unless the policy fails closed. Does nothing else and
 * knows no secret.
 */
import { createGsettingsProxy } from '../network/gsettings-proxy.ts';
import { createNetworkGuard, type NetworkGuard } from '../network/guard-network.ts';
import { createNetworksetupProxy } from '../network/networksetup-proxy.ts';
import { openRestoreJournal } from '../network/restore-journal.ts';
import type { RunCommand, SystemProxy } from '../network/system-proxy.ts';
import { createWininetProxy } from '../network/wininet-proxy.ts';
import { createRunCommand } from '../trust/run-command.ts';

/** The adapter's name and the journal's file: arguments, so that it knows its work before any process can be killed. */
export type WatchdogArguments = readonly [adapter: SystemProxy['name'], journalFile: string];

/** Over the IPC channel it was spawned with. */
export interface ToWatchdog {
  /** The agent has put everything back by itself. */
  readonly type: 'done';
}

/** A setting that cannot be put back at once may be so in a moment: a session that ends, a tool that is busy. */
const ATTEMPTS = 5;
const PAUSE_MS = 500;

const ADAPTERS: Readonly<Record<SystemProxy['name'], (run: RunCommand) => SystemProxy>> = {
  gsettings: createGsettingsProxy,
  networksetup: createNetworksetupProxy,
  wininet: createWininetProxy,
};

/** Its environment is the agent's own: the session bus, the user's folders. */
function runRestoreWatchdog(channel: NodeJS.Process): void {
  const [adapter, journalFile] = channel.argv.slice(2) as unknown as WatchdogArguments;
  const guard = createNetworkGuard(
    ADAPTERS[adapter](createRunCommand(channel.env)),
    openRestoreJournal(journalFile),
  );
  channel.on('message', ({ type }: ToWatchdog) => {
    if (type === 'done') channel.exit(0);
  });
  channel.on('disconnect', () => void putBack(guard).then((isBack) => channel.exit(isBack ? 0 : 1)));
  // What ends the agent by its group must not end this before its work is done.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) channel.on(signal, () => {});
}

async function putBack(guard: NetworkGuard): Promise<boolean> {
  for (let i = 0; i < ATTEMPTS; i++) {
    if ((await guard.releaseUnlessClosed()).kind === 'ok') return true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return false;
}

if (import.meta.main) runRestoreWatchdog(process);
