import { spawn } from 'node:child_process';
import type { ProxyCallbacks, ProxyHandle } from './run-supervisor.ts';

export interface SpawnOptions<ToChild, FromChild> {
  /** The plain Node binary, never Electron's. */
  readonly nodePath: string;
  readonly scriptPath: string;
  /** The complete environment: nothing of ours is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** The first message to the child. */
  readonly first: ToChild;
  /** `send` replies. */
  readonly onMessage: (message: FromChild, send: (message: ToChild) => void) => void;
  readonly shutdown: ToChild;
  /** Time between the request to exit and the kill. */
  readonly graceMs: number;
}

/** V8's default of 16 MB for short-lived objects leaves more memory behind; 4 MB costs a guarded chat 15% more CPU. */
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

/**
 * Starts the proxy as a separate process with an IPC channel. Secrets are sent over that channel, never as arguments or
 * environment.
 */
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
    leave(`The proxy exited (${signal ?? code})${lastLine === '' ? '.' : `: ${lastLine}`}`);
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
