import { spawn } from 'node:child_process';
import type { ProxyCallbacks, ProxyHandle } from './run-supervisor.ts';

export interface SpawnOptions<ToChild, FromChild> {
  /** The plain Node binary, never Electron's. */
  readonly nodePath: string;
  readonly scriptPath: string;
  /** Its whole environment: nothing of ours is inherited by itself. */
  readonly env: Readonly<Record<string, string>>;
  /** The first message. */
  readonly first: ToChild;
  /** `send` answers. */
  readonly onMessage: (message: FromChild, send: (message: ToChild) => void) => void;
  readonly shutdown: ToChild;
  /** Between the order to end and the end by force. */
  readonly graceMs: number;
}

/** With V8's own 16 MB for short-lived objects a load leaves more behind; with 4 MB a guarded chat takes 15% more CPU. */
export const PROXY_NODE_FLAGS = [
  '--max-http-header-size=131072',
  '--expose-gc',
  '--max-semi-space-size=8',
  '--v8-pool-size=1',
];

interface Ready {
  readonly type?: string;
  readonly port?: number;
}

/** The proxy as a process of its own, over an IPC channel. Secrets go by that channel, never by arguments or environment. */
export function spawnProxy<ToChild extends object, FromChild extends object>(
  options: SpawnOptions<ToChild, FromChild>,
  callbacks: ProxyCallbacks,
): ProxyHandle & { readonly pid: number; send(message: ToChild): void } {
  const child = spawn(options.nodePath, [...PROXY_NODE_FLAGS, options.scriptPath], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...options.env },
    serialization: 'json',
    windowsHide: true,
  });
  let lastOutput = '';
  let isGone = false;
  child.stderr?.on('data', (chunk: Buffer) => {
    lastOutput = (lastOutput + chunk.toString('utf8')).slice(-2_000);
  });
  const send = (message: ToChild): void => {
    if (child.connected) child.send(message, () => {});
  };
  const gone = Promise.withResolvers<void>();
  const leave = (reason: string): void => {
    if (isGone) return;
    isGone = true;
    gone.resolve();
    callbacks.exited(reason);
  };
  child.once('error', (error) => leave(`The proxy could not be started (${error.message}).`));
  child.once('exit', (code, signal) => {
    const lastLine = lastOutput.trim().split('\n').at(-1) ?? '';
    leave(`The proxy ended (${signal ?? code})${lastLine === '' ? '.' : `: ${lastLine}`}`);
  });
  child.on('message', (message) => {
    const { type, port } = message as Ready;
    if (type === 'ready' && port !== undefined) callbacks.ready(port);
    options.onMessage(message as FromChild, send);
  });
  send(options.first);

  return {
    pid: child.pid ?? 0,
    send,
    kill: () => void child.kill('SIGKILL'),
    async end() {
      if (isGone) return;
      send(options.shutdown);
      const timer = setTimeout(() => child.kill('SIGKILL'), options.graceMs);
      await gone.promise;
      clearTimeout(timer);
    },
  };
}
