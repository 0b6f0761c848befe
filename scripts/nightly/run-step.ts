import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** One process of a nightly group. */
export interface Step {
  readonly title: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env: NodeJS.ProcessEnv;
}

export type StepEnd = 'passed' | 'failed' | 'stopped';

const POLL_MS = 50;
/** Time for test runners to end their own processes. */
const GRACE_MS = 30_000;

/** Runs a step in a process group of its own, of which nothing is left at the end. */
export async function runStep(step: Step, signal: AbortSignal, graceMs = GRACE_MS): Promise<StepEnd> {
  if (signal.aborted) return 'stopped';
  const [program, ...args] = step.command;
  const child = spawn(program, args, {
    env: step.env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  });
  const ended = once(child, 'close').catch((error: Error) => {
    console.error(`${program} cannot be started: ${error.message}`);
    return [1];
  });
  const stop = (): void => void signalGroup(child, 'SIGINT');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const stopped = once(signal, 'abort').then(() => null);
  const end = await Promise.race([ended, stopped]);
  signal.removeEventListener('abort', stop);
  await endGroup(child, graceMs);
  if (signal.aborted) return 'stopped';
  return end?.[0] === 0 ? 'passed' : 'failed';
}

/** Waits until the group is empty, and ends it by force after a time. */
async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  for (let waitedMs = 0; signalGroup(child, 0); waitedMs += POLL_MS) {
    if (waitedMs >= graceMs) return void signalGroup(child, 'SIGKILL');
    await pause(POLL_MS);
  }
}

/** Returns false if nothing is left of the group. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  if (process.platform === 'win32') return child.exitCode === null && child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
