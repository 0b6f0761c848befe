import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';

/** Core of the measured process, and core of everything else: the load and the provider. */
export const TARGET_CORE = '0';
export const OTHER_CORE = '1';
const CORES = Array.from({ length: os.availableParallelism() }, (_, core) => core);
/** Every second core, for what is measured on more than one; databases, load and provider have the others. */
export const TARGET_CORES = CORES.filter((core) => core % 2 === 0).join(',');
export const OTHER_CORES = CORES.filter((core) => core % 2 === 1).join(',') || TARGET_CORES;

const START_MS = 30_000;
const MAX_OUTPUT = 100_000;

export interface StartedProcess {
  readonly pid: number;
  /** What it printed until `ready` matched. */
  readonly output: string;
  readonly match: RegExpExecArray;
  /** The match in what it prints from now on. Rejects when nothing comes for half a minute. */
  next(pattern: RegExp): Promise<RegExpExecArray>;
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

/** The command with its cores in front (`0` or `0,2`), where cores can be chosen. */
export function pinned(cores: string, command: readonly string[]): string[] {
  return CAN_PIN ? ['taskset', '-c', cores, ...command] : [...command];
}

/** Moves a process, this one if no other is named, to the load's core, or to those that are named. */
export function pin(cores = OTHER_CORE, pid = process.pid): void {
  if (CAN_PIN) execFileSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' });
}

/** The environment that a measured process gets: Node's own needs, and what is named. */
export function bareEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'];
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value)),
    ...extra,
  };
}

/** Starts a process on its cores and waits until it prints what `ready` matches. Throws with its output when it does not. */
export async function startProcess(options: {
  readonly cores: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly ready: RegExp;
}): Promise<StartedProcess> {
  const [command = '', ...args] = pinned(options.cores, options.command);
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
  let heard = '';
  let listen = (): void => {};
  const onChunk = (chunk: Buffer): void => {
    heard = (heard + chunk).slice(-MAX_OUTPUT);
    listen();
  };
  child.stdout.on('data', onChunk);
  child.stderr.on('data', onChunk);
  const waitForMatch = (pattern: RegExp): Promise<RegExpExecArray | null> =>
    new Promise((resolve) => {
      const give = setTimeout(resolve, START_MS, null);
      listen = () => {
        const found = pattern.exec(heard);
        if (found === null) return;
        clearTimeout(give);
        resolve(found);
      };
      exited.then(() => resolve(null));
    });
  const match = await waitForMatch(options.ready);
  if (match === null || child.pid === undefined) {
    await stop();
    throw new Error(`It did not start: ${heard.trim().slice(-500) || 'it said nothing'}`);
  }
  return {
    pid: child.pid,
    output: heard,
    match,
    stop,
    async next(pattern) {
      heard = '';
      const found = await waitForMatch(pattern);
      if (found === null) throw new Error(`Nothing like ${pattern} was printed: ${heard.slice(-500)}`);
      return found;
    },
  };
}
