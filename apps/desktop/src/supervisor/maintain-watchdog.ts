import { type ChildProcess, spawn } from 'node:child_process';
import type { ToWatchdog, WatchdogArguments } from './restore-watchdog.ts';

export interface WatchdogOptions {
  readonly scriptPath: string;
  readonly work: WatchdogArguments;
  /** The agent's own environment: the session bus, the user's folders. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns whether there is something to restore; a watchdog that exits during that time is replaced. */
  readonly isNeeded: () => boolean;
}

export interface Watchdog {
  /** Starts it before the first change: if the agent is killed, the computer must not point at a dead proxy. */
  begin(): void;
  /** Called once everything is restored. */
  done(): void;
}

export function maintainWatchdog(options: WatchdogOptions): Watchdog {
  let watchdog: ChildProcess | null = null;

  function begin(): void {
    if (watchdog !== null) return;
    const child = spawn(process.execPath, [options.scriptPath, ...options.work], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
      windowsHide: true,
      env: { ...options.env, NODE_OPTIONS: '' },
    });
    child.on('error', () => {});
    child.once('exit', () => {
      watchdog = null;
      if (options.isNeeded()) begin();
    });
    watchdog = child;
  }

  return {
    begin,
    done() {
      if (watchdog?.connected === true) watchdog.send({ type: 'done' } satisfies ToWatchdog);
    },
  };
}
