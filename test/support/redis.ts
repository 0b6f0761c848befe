import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { missingTool } from '../../scripts/system-tools.ts';
import { onFreePort } from './free-port.ts';

export interface TestRedis {
  readonly url: string;
  /** Ends it as a power failure would: all data is lost. */
  kill(): Promise<void>;
  /** Starts it again on the same port, if it does not run. */
  start(): Promise<void>;
  /** CONFIG SET. */
  configure(name: string, value: string): Promise<void>;
  /** Suspends it at any point, without ending it; `wake` resumes it. */
  sleep(): void;
  wake(): void;
  stop(): Promise<void>;
}

/** Why tests of Redis cannot run here; false if they can. */
export const noRedis = missingTool(['redis']);

/** A throw-away Redis on loopback. `settings` are those of redis.conf, such as `--requirepass`. */
export async function startRedis(settings: readonly string[] = []): Promise<TestRedis> {
  let child: ChildProcess;
  const port = await onFreePort(async (free) => {
    child = await launch(free, settings);
    return free;
  });
  const url = `redis://127.0.0.1:${port}`;
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  return {
    url,
    kill,
    async start() {
      if (child.exitCode === null && child.signalCode === null) return;
      child = await launch(port, settings);
    },
    async configure(name, value) {
      const admin = new Redis(url);
      await admin.config('SET', name, value);
      admin.disconnect();
    },
    sleep: () => void child.kill('SIGSTOP'),
    wake: () => void child.kill('SIGCONT'),
    stop: kill,
  };
}

async function launch(port: number, settings: readonly string[]): Promise<ChildProcess> {
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...settings],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('Ready to accept connections')) {
      child.stdout.resume();
      return child;
    }
  }
  throw new Error('redis-server ended before it was ready');
}
