/**
 * A second process that only waits for the end of the agent: even after kill -9 it restores the computer's proxy
 * setting from the restore journal, unless the policy fails closed. Does nothing else and has no secrets.
 */
import { createGsettingsProxy } from '../network/gsettings-proxy.ts';
import { createNetworkGuard, type NetworkGuard } from '../network/guard-network.ts';
import { createNetworksetupProxy } from '../network/networksetup-proxy.ts';
import { openRestoreJournal } from '../network/restore-journal.ts';
import type { RunCommand, SystemProxy } from '../network/system-proxy.ts';
import { createWininetProxy } from '../network/wininet-proxy.ts';
import { createRunCommand } from '../trust/run-command.ts';

/** The adapter's name and the journal's file: arguments, so that they are known before any process is killed. */
export type WatchdogArguments = readonly [adapter: SystemProxy['name'], journalFile: string];

/** A message over the IPC channel of its parent. */
export interface ToWatchdog {
  /** The agent has restored everything itself. */
  readonly type: 'done';
}

/** Restoring may fail temporarily: a session that ends, a busy tool. */
const ATTEMPTS = 5;
const PAUSE_MS = 500;

const ADAPTERS: Readonly<Record<SystemProxy['name'], (run: RunCommand) => SystemProxy>> = {
  gsettings: createGsettingsProxy,
  networksetup: createNetworksetupProxy,
  wininet: createWininetProxy,
};

/** Runs with the agent's own environment: the session bus, the user's folders. */
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
  // Signals to the agent's process group must not end this process before it has restored the setting.
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
