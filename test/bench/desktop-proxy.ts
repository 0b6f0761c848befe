/**
 * CPU of the proxy for each opened 1 KB request, beside mockttp's:
 * `node test/bench/desktop-proxy.ts [--peers FOLDER_WITH_MOCKTTP] [--rounds 5] [--requests 4000]`
 * In turns, median of the rounds. The figure is the ratio; bare times depend on the machine.
 */

import { once } from 'node:events';
import path from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { parseArgs } from 'node:util';
import { openTunnel } from '../support/desktop/clients.ts';
import { cpuUs } from './process-facts.ts';
import { OTHER_CORE, pinSelf, type StartedProcess, startProcess, TARGET_CORE } from './start-process.ts';

const SCRIPT = path.resolve(import.meta.dirname, 'desktop-target.ts');
const CONNECTIONS = 16;

async function openClient(proxyPort: number, vendorPort: number): Promise<TLSSocket> {
  const socket = await openTunnel(proxyPort, `localhost:${vendorPort}`);
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
async function runClient(tls: TLSSocket, requests: number, vendorPort: number): Promise<void> {
  const head = `GET /v1/models HTTP/1.1\r\nHost: localhost:${vendorPort}\r\nAccept: */*\r\nUser-Agent: bench\r\n\r\n`;
  for (let i = 0; i < requests; i++) {
    tls.write(head);
    for (;;) {
      const [chunk] = (await once(tls, 'data')) as [Buffer];
      if (chunk.includes('~END~')) break;
    }
  }
}

async function measure(
  target: StartedProcess,
  port: number,
  vendorPort: number,
  requests: number,
): Promise<number> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => openClient(port, vendorPort)));
  const each = Math.ceil(requests / CONNECTIONS);
  const before = cpuUs(target.pid) ?? 0;
  await Promise.all(clients.map((client) => runClient(client, each, vendorPort)));
  const spent = (cpuUs(target.pid) ?? 0) - before;
  for (const client of clients) client.destroy();
  return spent / (each * CONNECTIONS);
}

function median(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      peers: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      requests: { type: 'string', default: '4000' },
    },
  });
  pinSelf();
  const ready = /listening on (\d+)(?: (\S+))?/;
  const node = process.execPath;
  const vendor = await startProcess({ core: OTHER_CORE, command: [node, SCRIPT, 'vendor'], ready });
  const vendorPort = Number(vendor.match[1]);
  const targets = new Map<string, StartedProcess>();
  const ours = [node, SCRIPT, 'ours', '--ca', vendor.match[2] ?? ''];
  targets.set('ours', await startProcess({ core: TARGET_CORE, command: ours, ready }));
  if (values.peers !== undefined) {
    const command = [node, SCRIPT, 'mockttp', '--folder', path.resolve(values.peers)];
    targets.set('mockttp', await startProcess({ core: TARGET_CORE, command, ready }));
  }
  const figures = new Map<string, number[]>([...targets.keys()].map((name) => [name, []]));
  // The first round warms up and does not count.
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [name, target] of targets) {
      const spent = await measure(target, Number(target.match[1]), vendorPort, Number(values.requests));
      if (round > 0) figures.get(name)?.push(spent);
    }
  }
  const own = median(figures.get('ours') ?? []);
  for (const [name, list] of figures) {
    const each = median(list);
    console.log(
      `${name.padEnd(8)} ${each.toFixed(0).padStart(5)} us of CPU a request   ours / this: ${(own / each).toFixed(2)}`,
    );
  }
  for (const target of [...targets.values(), vendor]) await target.stop();
}
