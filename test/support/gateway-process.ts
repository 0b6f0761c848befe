import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from './compile-cache.ts';
import { inheritedPreloads } from './inherited-preloads.ts';
import { HANG_LIMIT_MS } from './until.ts';

const MAIN = fileURLToPath(new URL('../../apps/cloud/src/main.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../../apps/cloud/src/cli.ts', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  /** The output so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Ended>;
}

export interface GatewayProcess extends RunningProcess {
  readonly address: string;
  /** Printed on the very first start only. */
  readonly firstKey: string | null;
  /** Ends it as a power failure would. */
  kill(): Promise<Ended>;
  /** Sends SIGTERM, and waits for its end. */
  stop(): Promise<Ended>;
}

type Env = Readonly<Record<string, string>>;

/** The process gets no settings of this computer except those that Node itself needs. */
function launch(
  script: string,
  args: readonly string[],
  env: Env,
  input?: string,
  preload?: string,
  within: readonly string[] = [],
): RunningProcess {
  // Halves the time of a start.
  const kept: Record<string, string> = { NODE_COMPILE_CACHE: COMPILE_CACHE };
  for (const name of ['PATH', 'HOME', 'TMPDIR']) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  const before = [
    ...inheritedPreloads(preload !== undefined),
    ...(preload === undefined ? [] : ['--import', preload]),
  ];
  const [command = '', ...rest] = [...within, process.execPath, ...before, script, ...args];
  const child = spawn(command, rest, {
    env: { ...kept, HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['pipe', 'pipe', 'pipe', preload === undefined ? 'ignore' : 'ipc'],
  }) as ChildProcessWithoutNullStreams;
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  // A process that reads nothing may end before this is written.
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stdout,
    stderr,
  }));
  return { child, ended, output: () => ({ stdout, stderr }) };
}

/** Starts the real service as a process of its own, on a free loopback port. */
export async function startGatewayProcess(options: {
  readonly dataDir: string;
  readonly env?: Env;
  /** A module that is loaded before all others and can communicate with this process. */
  readonly preload?: string;
  /** A command that replaces itself by the process, such as one that gives it a resolver of its own. */
  readonly within?: readonly string[];
}): Promise<GatewayProcess> {
  const env = {
    GATEWAY_DATA_DIR: options.dataDir,
    LOG_LEVEL: 'error',
    EDGE_LIMIT_PER_MINUTE: '0',
    // Threads for long texts take a third of each start.
    SCAN_WORKERS: '0',
    ...options.env,
  };
  const running = launch(MAIN, [], env, undefined, options.preload, options.within);
  const { child, ended, output } = running;
  const end = async (signal: NodeJS.Signals): Promise<Ended> => {
    child.kill(signal);
    return await ended;
  };
  const started = new Promise<string>((resolve) => {
    child.stdout?.on('data', () => {
      const address = /running at (http:\S+)/.exec(output().stdout)?.[1];
      if (address !== undefined && output().stdout.includes('Ctrl+C')) resolve(address);
    });
  });
  // Only the start has a time limit.
  const late = setTimeout(() => child.kill('SIGKILL'), HANG_LIMIT_MS);
  const outcome = await Promise.race([started, ended]);
  clearTimeout(late);
  if (typeof outcome !== 'string') {
    throw new Error(`The gateway did not start: code ${outcome.code}.\n${outcome.stdout}${outcome.stderr}`);
  }
  return {
    ...running,
    address: outcome,
    firstKey: /^\s*(svc_live_\S+)\s*$/m.exec(output().stdout)?.[1] ?? null,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** Runs `main.ts`, which is expected to exit. */
export function runMain(env: Env, args: readonly string[] = []): Promise<Ended> {
  return launch(MAIN, args, env).ended;
}

/** Starts one operator's command. */
export function launchCli(args: readonly string[], env: Env, input?: string): RunningProcess {
  return launch(CLI, args, env, input);
}

/** Runs one operator's command to its end. */
export function runCli(args: readonly string[], env: Env, input?: string): Promise<Ended> {
  return launchCli(args, env, input).ended;
}
