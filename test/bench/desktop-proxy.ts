/** CPU of the device's proxy for each opened 1 KB request, beside mockttp's: in turns, median of the rounds. */

import { once } from 'node:events';
import path from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { installPackages } from '../../scripts/install-packages.ts';
import { openTunnel } from '../support/desktop/clients.ts';
import { cpuUs } from './process-facts.ts';
import { OTHER_CORE, type StartedProcess, startProcess, TARGET_CORE } from './start-process.ts';
import { type Summary, summarize } from './statistics.ts';

const SCRIPT = path.resolve(import.meta.dirname, 'desktop-target.ts');
const CONNECTIONS = 16;
/** What each answer ends with. */
const END = '~END~';

async function openClient(proxyPort: number, providerPort: number): Promise<TLSSocket> {
  const socket = await openTunnel(proxyPort, `localhost:${providerPort}`);
  // Whose certificate it is does not matter here.
  const tls = connectTls({
    socket,
    servername: 'localhost',
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  });
  await once(tls, 'secureConnect');
  return tls;
}

/** One request after the other on one connection. */
async function runClient(tls: TLSSocket, requests: number, providerPort: number): Promise<void> {
  const head = `GET /v1/models HTTP/1.1\r\nHost: localhost:${providerPort}\r\nAccept: */*\r\nUser-Agent: bench\r\n\r\n`;
  let tail = '';
  let isAnswered = (): void => {};
  // Listens all the time: what comes without a listener is lost.
  const onChunk = (chunk: Buffer): void => {
    tail = tail.slice(-END.length) + chunk.toString('latin1');
    if (tail.includes(END)) isAnswered();
  };
  tls.on('data', onChunk);
  for (let i = 0; i < requests; i++) {
    tail = '';
    const answered = new Promise<void>((resolve) => {
      isAnswered = resolve;
    });
    tls.write(head);
    await answered;
  }
  tls.off('data', onChunk);
}

async function measure(
  target: StartedProcess,
  port: number,
  providerPort: number,
  requests: number,
): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openClient(port, providerPort)),
  );
  const each = Math.ceil(requests / CONNECTIONS);
  const before = cpuUs(target.pid) ?? 0;
  await Promise.all(clients.map((client) => runClient(client, each, providerPort)));
  const spent = (cpuUs(target.pid) ?? 0) - before;
  for (const client of clients) client.destroy();
  return spent / (each * CONNECTIONS);
}

export interface DesktopFigures {
  /** Microseconds of CPU for each opened request; mockttp null: it could not be had. */
  readonly oursUs: Summary;
  readonly mockttpUs: Summary | null;
}

/** `peers`: folder with mockttp; null: without it. `requests` of a round, after a `warmUp` of so many. */
export async function measureDesktop(
  peers: string | null,
  options: { readonly rounds: number; readonly requests: number; readonly warmUp: number },
): Promise<DesktopFigures> {
  const ready = /listening on (\d+)(?: (\S+))?/;
  const node = process.execPath;
  const running: StartedProcess[] = [];
  const start = async (cores: string, ...args: readonly string[]): Promise<StartedProcess> => {
    const started = await startProcess({ cores, command: [node, SCRIPT, ...args], ready });
    running.push(started);
    return started;
  };
  try {
    const testProvider = await start(OTHER_CORE, 'provider');
    const providerPort = Number(testProvider.match[1]);
    const targets = [await start(TARGET_CORE, 'ours', '--ca', testProvider.match[2] ?? '')];
    if (peers !== null) targets.push(await start(TARGET_CORE, 'mockttp', '--folder', peers));
    const figures: number[][] = targets.map(() => []);
    for (let round = 0; round <= options.rounds; round++) {
      for (const [i, target] of targets.entries()) {
        const requests = round === 0 ? options.warmUp : options.requests;
        const spent = await measure(target, Number(target.match[1]), providerPort, requests);
        if (round > 0) figures[i]?.push(spent);
      }
    }
    const [ours = [], theirs] = figures;
    return {
      oursUs: summarize(ours),
      mockttpUs: theirs === undefined ? null : summarize(theirs),
    };
  } finally {
    for (const process of running.reverse()) await process.stop();
  }
}

const MOCKTTP = '4.6.5';

/** Rejects with one sentence when it cannot be had. */
export function installMockttp(folder: string): Promise<void> {
  return installPackages(folder, { ['mockttp']: MOCKTTP });
}
