/** Processes that the harness kills: the service, and the part of the agent that stores decisions. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { COMPILE_CACHE } from '../compile-cache.ts';
import { type GatewayProcess, startGatewayProcess } from '../gateway-process.ts';
import { inheritedPreloads } from '../inherited-preloads.ts';
import type { DeviceCommand, DeviceReply } from './device-process.ts';
import { CLOCK_VARIABLE, type HookCommand } from './moment.ts';

const HOOK = path.join(import.meta.dirname, 'hook.ts');
const DEVICE = path.join(import.meta.dirname, 'device-process.ts');

export interface Killable {
  /** Resolves once the process has confirmed it. */
  order(order: HookCommand): Promise<void>;
  kill(): void;
  readonly ended: Promise<unknown>;
}

export type Service = Killable & Pick<GatewayProcess, 'address' | 'output' | 'stop'>;

export async function startService(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  nowMs: number,
): Promise<Service> {
  const started = await startGatewayProcess({
    dataDir,
    env: { ...env, [CLOCK_VARIABLE]: String(nowMs) },
    preload: HOOK,
  });
  return { ...killable(started.child, started.ended), ...started, kill: () => void started.kill() };
}

export interface Device extends Killable {
  /** Decisions that the process confirmed as stored on its disk. */
  readonly acknowledged: ReadonlySet<string>;
  decide(ids: readonly string[]): void;
  /** Resolves when nothing is pending in the journal. Rejects if the process ends before. */
  drained(): Promise<void>;
}

export function startDevice(folder: string, url: string, apiKey: string, acknowledged: Set<string>): Device {
  const child = spawn(
    process.execPath,
    [...inheritedPreloads(), '--import', HOOK, DEVICE, folder, url, apiKey],
    {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILE_CACHE },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const wake: (() => void)[] = [];
  child.on('message', (word: DeviceReply) => {
    if ('acknowledged' in word) acknowledged.add(word.acknowledged);
    else if ('drained' in word) for (const resolve of wake.splice(0)) resolve();
  });
  const ended = once(child, 'close');
  return {
    ...killable(child, ended),
    acknowledged,
    decide: (ids) => void child.send({ order: 'decide', ids } satisfies DeviceCommand),
    async drained() {
      const drained = new Promise<void>((resolve) => wake.push(resolve));
      child.send({ order: 'drain' } satisfies DeviceCommand);
      await beforeEnd(drained, ended, 'it had sent all it has');
    },
  };
}

function killable(child: ChildProcess, ended: Promise<unknown>): Killable {
  return {
    ended,
    kill: () => void child.kill('SIGKILL'),
    async order(order) {
      const taken = new Promise<void>((resolve) => {
        const look = (word: { done?: string }): void => {
          if (word.done !== order.order) return;
          child.off('message', look);
          resolve();
        };
        child.on('message', look);
      });
      child.send(order);
      await beforeEnd(taken, ended, `it took the order "${order.order}"`);
    },
  };
}

async function beforeEnd(event: Promise<void>, ended: Promise<unknown>, what: string): Promise<void> {
  const gone = ended.then(() => {
    throw new Error(`The process ended before ${what}.`);
  });
  await Promise.race([event, gone]);
}
