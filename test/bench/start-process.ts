import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';

/** Core of the measured process, and core of everything else: the load and the vendor. */
export const TARGET_CORE = 0;
export const OTHER_CORE = 1;

const START_MS = 30_000;

export interface StartedProcess {
  readonly pid: number;
  /** What it printed until `ready` matched. */
  readonly said: string;
  readonly match: RegExpExecArray;
  stop(): Promise<void>;
}

/** `taskset` is there and has two cores to choose from. Without it everything runs where the system puts it. */
export const CAN_PIN = os.availableParallelism() > 1 && hasCommand('taskset', ['--version']);

export function hasCommand(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, [...args], { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/** The command with its core in front, where cores can be chosen. */
export function pinned(core: number, command: readonly string[]): string[] {
  return CAN_PIN ? ['taskset', '-c', String(core), ...command] : [...command];
}

/** Moves this process to the load's core. */
export function pinSelf(): void {
  if (CAN_PIN)
    execFileSync('taskset', ['-acp', String(OTHER_CORE), String(process.pid)], { stdio: 'ignore' });
}

/** The environment that a measured process gets: Node's own needs, and what is named. */
export function bareEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'];
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value)),
    ...extra,
  };
}

/** Starts a process on a core and waits until it prints what `ready` matches. Throws with its output when it does not. */
export async function startProcess(options: {
  readonly core: number;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly ready: RegExp;
}): Promise<StartedProcess> {
  const [command = '', ...args] = pinned(options.core, options.command);
  const child = spawn(command, args, {
    env: bareEnvironment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(force);
  };
  let said = '';
  const match = await new Promise<RegExpExecArray | null>((resolve) => {
    const hear = (chunk: Buffer): void => {
      if (said.length > 100_000) return;
      said += chunk;
      const found = options.ready.exec(said);
      if (found !== null) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    exited.then(() => resolve(null));
    setTimeout(resolve, START_MS, null).unref();
  });
  if (match === null || child.pid === undefined) {
    await stop();
    throw new Error(`It did not start: ${said.trim().slice(-500) || 'it said nothing'}`);
  }
  return { pid: child.pid, said, match, stop };
}
