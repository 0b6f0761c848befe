/** The proxy as a separate process: controlled over the IPC channel of its parent, and ends when that closes. */
import { randomUUID } from 'node:crypto';
import { createGuardClient } from '../cloud-client/request-guard.ts';
import { collectAll, returnMemory } from '../supervisor/return-memory.ts';
import { createRunCommand } from '../trust/run-command.ts';
import { createFindProcess } from './find-process.ts';
import type { FromProxy, ProxyErrorCode, ToProxy } from './messages.ts';
import { type RunningProxy, startProxy } from './start-proxy.ts';

export function runProxyProcess(channel: NodeJS.Process): void {
  let starting: Promise<RunningProxy | null> | null = null;
  let running: RunningProxy | null = null;
  const findProcess = createFindProcess(channel.platform, createRunCommand(channel.env));

  const send = (message: FromProxy): void => {
    // The agent no longer listens: this process exits soon.
    if (channel.connected) channel.send?.(message, () => {});
  };

  async function start(message: Extract<ToProxy, { type: 'configure' }>): Promise<RunningProxy | null> {
    try {
      running = await startProxy(message.config, {
        needLeaf: (host) => send({ type: 'need-leaf', host }),
        findProcess,
        emit: (event) => send({ type: 'event', event }),
        answered: (digests) => send({ type: 'answered', digests }),
        connectGuard: (service) => createGuardClient({ ...service, now: () => performance.now() }).request,
        now: () => Date.now(),
        newEventId: () => `evt_${randomUUID().replaceAll('-', '')}`,
      });
      send({ type: 'ready', port: running.port });
      const { health } = running;
      returnMemory({ activity: () => health().requests, collect: collectAll });
    } catch (error) {
      const { code, message: reason } = error as NodeJS.ErrnoException;
      send({ type: 'fault', code: errorCodeOf(code), message: reason });
      channel.exitCode = 1;
      channel.disconnect?.();
    }
    return running;
  }

  async function receive(message: ToProxy): Promise<void> {
    switch (message.type) {
      case 'configure':
        if (starting === null) starting = start(message);
        else (await starting)?.configure(message.config);
        return;
      case 'answered':
        (await starting)?.answered(message.answers);
        return;
      case 'leaf':
        running?.leaf(message.host, message.leaf);
        return;
      case 'ping': {
        const health = running?.health();
        if (health === undefined) return;
        send({ type: 'health', id: message.id, ...health });
        return;
      }
      case 'shutdown':
        await running?.close(message.graceMs);
        channel.exit(0);
    }
  }

  channel.on('message', (message: ToProxy) => {
    receive(message).catch((error: Error) => {
      send({ type: 'fault', code: 'bad_config', message: error.message });
    });
  });
  // The agent has exited for any reason: clients that point at us must find no proxy here and connect directly.
  channel.on('disconnect', () => channel.exit(channel.exitCode ?? 0));
  channel.on('SIGINT', () => {});
  channel.on('SIGTERM', () => {
    void (running?.close(1_000) ?? Promise.resolve()).then(() => channel.exit(0));
  });
}

function errorCodeOf(code: string | undefined): ProxyErrorCode {
  if (code === 'EADDRINUSE') return 'port_taken';
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') return 'cannot_listen';
  return code === 'ERR_INVALID_URL' ? 'bad_upstream_proxy' : 'bad_config';
}

if (import.meta.main) runProxyProcess(process);
