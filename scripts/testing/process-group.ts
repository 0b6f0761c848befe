import type { ChildProcess } from 'node:child_process';
import { tracingChannel } from 'node:diagnostics_channel';
import { setTimeout as pause } from 'node:timers/promises';

/** Node's diagnostics message before it starts a process. */
interface Spawning {
  readonly process: ChildProcess;
  readonly options: { detached?: boolean; readonly args?: readonly string[] };
}

/** The process of a test file and its children, which outlive it if it is killed. */
export interface ProcessGroup {
  /** Ends them, by force after a timeout. Resolves when none is left. */
  end(): Promise<void>;
  close(): void;
}

const spawning = tracingChannel<unknown, Spawning>('child_process.spawn');
const POLL_MS = 20;
/** Windows knows no process groups. */
const hasGroups = process.platform !== 'win32';

/** `node:test` starts the process without such an option: applies to the next process with this file as argument. */
export function openProcessGroup(file: string, graceMs: number): ProcessGroup {
  let leader: ChildProcess | undefined;
  let ending: Promise<void> | undefined;
  const lead = (message: unknown): void => {
    const started = message as Spawning;
    if (!hasGroups || started.options.args?.includes(file) !== true) return;
    started.options.detached = true;
    leader = started.process;
  };
  spawning.start.subscribe(lead);
  return {
    async end() {
      if (leader?.pid === undefined) return;
      ending ??= endGroup(leader.pid, graceMs);
      await ending;
    },
    close: () => void spawning.start.unsubscribe(lead),
  };
}

async function endGroup(pid: number, graceMs: number): Promise<void> {
  const forceAtMs = performance.now() + graceMs;
  for (let isThere = signalGroup(pid, 'SIGTERM'); isThere; isThere = signalGroup(pid, 0)) {
    if (performance.now() >= forceAtMs) return void signalGroup(pid, 'SIGKILL');
    await pause(POLL_MS);
  }
}

/** Returns false if the group is empty. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
