import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { residentBytes } from './process-facts.ts';
import type { Target } from './targets.ts';
import { chatRequest } from './workloads.ts';

export interface HeldStreams {
  readonly target: string;
  readonly streams: number;
  /** Resident memory that each held stream adds to the target. */
  readonly kibPerStream: number;
}

const SETTLE_MS = 1_500;
const BODY = chatRequest(1_024, { stream: true, user: 'hold' });

/** Opens streams that the provider begins and never ends, and reads what the target's process has grown by. */
export async function holdStreams(target: Target, streams: number): Promise<HeldStreams | null> {
  // The first few bring tables and code that stay; only what comes after them is per stream.
  const first = await openStreams(target, Math.ceil(streams / 10));
  await settle();
  const before = residentBytes(target.process.pid);
  const rest = await openStreams(target, streams);
  await settle();
  const after = residentBytes(target.process.pid);
  for (const socket of [...first, ...rest]) socket.destroy();
  await settle();
  if (before === null || after === null) return null;
  return { target: target.name, streams, kibPerStream: (after - before) / streams / 1024 };
}

async function openStreams(target: Target, count: number): Promise<Socket[]> {
  const { hostname, port, pathname } = new URL(target.url);
  const headers = Object.entries({ ...target.headers, 'content-length': String(BODY.length) });
  const head = `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.resume();
    socket.write(head);
    socket.write(BODY);
    sockets.push(socket);
  }
  return sockets;
}

async function settle(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, SETTLE_MS);
  await promise;
}
