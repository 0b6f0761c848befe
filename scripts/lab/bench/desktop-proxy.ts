/**
 * CPU of the device's proxy for each request, in turns with others, median of the rounds: opened 1 KB requests beside
 * mockttp's, and guarded chats beside http-proxy-3's, which only forwards. Both of a pair have TLS to the client and to
 * the provider, kept connections and the same bytes; a guarded chat also asks the service about the prompt and about
 * the response.
 */

import { once } from 'node:events';
import path from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { PROXY_NODE_FLAGS } from '../../../apps/desktop/src/supervisor/spawn-proxy.ts';
import { openTunnel } from '../../../test/support/desktop/clients.ts';
import { installPackages } from '../../install-packages.ts';
import { ANSWER } from './answers.ts';
import { cpuUs } from './process-facts.ts';
import { OTHER_CORE, type StartedProcess, startProcess, TARGET_CORE } from './start-process.ts';
import { type Summary, summarize } from './statistics.ts';
import { NUMBER, WORKLOADS } from './workloads.ts';

const SCRIPT = path.resolve(import.meta.dirname, 'desktop-target.ts');
const CONNECTIONS = 16;

/** What is asked over and over, and what each response ends with. */
interface Exchange {
  request(providerPort: number, number: number): string;
  readonly end: string;
}

const OPENED: Exchange = {
  request: (port) =>
    `GET /v1/models HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: */*\r\nUser-Agent: bench\r\n\r\n`,
  end: '~END~',
};

const CHAT_BODY = WORKLOADS.small.body.toString('latin1');

const CHAT: Exchange = {
  request: (port, number) =>
    `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer sk-bench\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${CHAT_BODY.length}\r\nUser-Agent: bench\r\n\r\n` +
    CHAT_BODY.replace(NUMBER, String(number).padStart(NUMBER.length, '0')),
  end: ANSWER.subarray(-24).toString('latin1'),
};

async function openClient(port: number, providerPort: number, isDirect: boolean): Promise<TLSSocket> {
  const tls = connectTls({
    ...(isDirect
      ? { host: '127.0.0.1', port }
      : { socket: await openTunnel(port, `localhost:${providerPort}`) }),
    servername: 'localhost',
    // Whose certificate it is does not matter here.
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  });
  await once(tls, 'secureConnect');
  return tls;
}

/** One request after the other on one connection. */
async function runClient(tls: TLSSocket, { end }: Exchange, next: () => string | null): Promise<void> {
  let tail = '';
  let isAnswered = (): void => {};
  // Listens all the time: what comes without a listener is lost.
  const onChunk = (chunk: Buffer): void => {
    tail = tail.slice(-end.length) + chunk.toString('latin1');
    if (tail.includes(end)) isAnswered();
  };
  tls.on('data', onChunk);
  for (let text = next(); text !== null; text = next()) {
    tail = '';
    const answered = new Promise<void>((resolve) => {
      isAnswered = resolve;
    });
    tls.write(text, 'latin1');
    await answered;
  }
  tls.off('data', onChunk);
}

/** A measured process. */
interface Target {
  readonly process: StartedProcess;
  readonly exchange: Exchange;
  /** It takes requests, not CONNECT. */
  readonly isDirect: boolean;
}

async function measure(target: Target, providerPort: number, requests: number): Promise<number> {
  const { process, exchange, isDirect } = target;
  const port = Number(process.match[1]);
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openClient(port, providerPort, isDirect)),
  );
  const each = Math.ceil(requests / CONNECTIONS);
  let number = Math.round(performance.now());
  const before = cpuUs(process.pid) ?? 0;
  await Promise.all(
    clients.map((client) => {
      let left = each;
      return runClient(client, exchange, () =>
        left-- > 0 ? exchange.request(providerPort, ++number) : null,
      );
    }),
  );
  const spent = (cpuUs(process.pid) ?? 0) - before;
  for (const client of clients) client.destroy();
  return spent / (each * CONNECTIONS);
}

/** Microseconds of CPU for each request; null: the other one could not be had. */
export interface DesktopFigures {
  readonly oursUs: Summary;
  readonly mockttpUs: Summary | null;
  readonly guardedUs: Summary;
  readonly httpProxyUs: Summary | null;
}

/** Folders of the others; null: without it. */
export interface DesktopPeers {
  readonly mockttp: string | null;
  readonly httpProxy: string | null;
}

/** `requests` of a round, after a `warmUp` of so many. */
export async function measureDesktop(
  peers: DesktopPeers,
  options: { readonly rounds: number; readonly requests: number; readonly warmUp: number },
): Promise<DesktopFigures> {
  const ready = /listening on (\S+)(?: (\S+))?/;
  const node = process.execPath;
  const running: StartedProcess[] = [];
  const start = async (cores: string, ...args: readonly string[]): Promise<StartedProcess> => {
    // As it runs on a device.
    const flags = args[0] === 'ours' || args[0] === 'guarded' ? PROXY_NODE_FLAGS : [];
    const started = await startProcess({ cores, command: [node, ...flags, SCRIPT, ...args], ready });
    running.push(started);
    return started;
  };
  try {
    const testProvider = await start(OTHER_CORE, 'provider');
    const service = await start(OTHER_CORE, 'service');
    const [, port = '', ca = ''] = testProvider.match;
    const targets = new Map<keyof DesktopFigures, Target>();
    const add = async (name: keyof DesktopFigures, exchange: Exchange, ...args: readonly string[]) => {
      const process = await start(TARGET_CORE, ...args, '--ca', ca);
      targets.set(name, { process, exchange, isDirect: name === 'httpProxyUs' });
    };
    await add('oursUs', OPENED, 'ours');
    if (peers.mockttp !== null) await add('mockttpUs', OPENED, 'mockttp', '--folder', peers.mockttp);
    await add('guardedUs', CHAT, 'guarded', '--service', service.match[1] ?? '');
    if (peers.httpProxy !== null)
      await add('httpProxyUs', CHAT, 'http-proxy', '--folder', peers.httpProxy, '--provider', port);
    const figures = new Map<keyof DesktopFigures, number[]>();
    for (let round = 0; round <= options.rounds; round++) {
      for (const [name, target] of targets) {
        const requests = round === 0 ? options.warmUp : options.requests;
        const spent = await measure(target, Number(port), requests);
        if (round > 0) figures.set(name, [...(figures.get(name) ?? []), spent]);
      }
    }
    const summaryOf = (name: keyof DesktopFigures): Summary | null => {
      const rounds = figures.get(name);
      return rounds === undefined ? null : summarize(rounds);
    };
    return {
      oursUs: summaryOf('oursUs')!,
      mockttpUs: summaryOf('mockttpUs'),
      guardedUs: summaryOf('guardedUs')!,
      httpProxyUs: summaryOf('httpProxyUs'),
    };
  } finally {
    for (const process of running.reverse()) await process.stop();
  }
}

const MOCKTTP = '4.6.5';
const HTTP_PROXY = '1.23.3';

/** Rejects with one sentence when it cannot be had. */
export function installMockttp(folder: string): Promise<void> {
  return installPackages(folder, { ['mockttp']: MOCKTTP });
}

/** The same. */
export function installHttpProxy(folder: string): Promise<void> {
  return installPackages(folder, { 'http-proxy-3': HTTP_PROXY });
}
