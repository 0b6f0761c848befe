/**
 * Thousands of connections that send nothing, half a head, or nothing more after a request, and their effect on other
 * clients. A process of its own, for its file descriptors and its memory; another process holds the connections.
 * `node idle-connections.ts COUNT` prints IdleFigures as JSON.
 * `node idle-connections.ts COUNT ADDRESS` holds COUNT connections until its input ends.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PROVIDER_KEY } from '../support/clients.ts';
import { startTestProvider } from '../support/test-provider.ts';
import { startGatewayThread } from './gateway-thread.ts';
import { chat } from './hostile-target.ts';
import { exchange, open } from './raw-http.ts';

export interface IdleFigures {
  readonly held: number;
  readonly answered: number;
  readonly asked: number;
  /** CPU time for these requests with no other connection, while they were held, and while all of them broke off. */
  readonly aloneMs: number;
  readonly heldMs: number;
  readonly brokenMs: number;
  readonly bytesEach: number;
}

const REQUESTS = 200;
const AT_ONCE = 500;
/** The bytes that each connection sends before it falls silent. */
const OPENINGS = [
  '',
  'POST /api/v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Note: a',
  'GET /health HTTP/1.1\r\nHost: x\r\n\r\n',
];

async function hold(count: number, address: string): Promise<void> {
  const sockets: Socket[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - from) }, async (_, i) => {
        const socket = open(address);
        socket.on('error', () => {});
        await once(socket, 'connect');
        const opening = OPENINGS[i % OPENINGS.length]!;
        if (opening !== '') socket.write(opening);
        socket.resume();
        sockets.push(socket);
      }),
    );
  }
  process.stdout.write(`${sockets.filter((socket) => !socket.destroyed).length}\n`);
  process.stdin.resume();
}

async function measure(count: number): Promise<IdleFigures> {
  const testProvider = await startTestProvider();
  const gateway = await startGatewayThread({ providerUrl: testProvider.url, env: {} });
  const body = chat('What is the time?');
  const request = [
    'POST /api/v1/chat/completions HTTP/1.1',
    'Host: gateway.test',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-API-Key: ${gateway.key}`,
    `Authorization: Bearer ${PROVIDER_KEY}`,
    '',
    body,
  ].join('\r\n');
  let answered = 0;
  /** Returns their CPU time. */
  const askAll = async (): Promise<number> => {
    const beforeMs = await gateway.cpuMs();
    for (let i = 0; i < REQUESTS; i++)
      if ((await exchange(gateway.address, request, { waitMs: 30_000 })).answers[0]?.status === 200)
        answered++;
    return (await gateway.cpuMs()) - beforeMs;
  };
  // Code compiled and memory allocated once must not count for the connections.
  await askAll();
  const aloneMs = await askAll();
  const before = process.memoryUsage.rss();

  const holder = spawn(process.execPath, [import.meta.filename, String(count), gateway.address], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(holder.stdout, 'data')) as [Buffer];
  const held = Number(line.toString());
  const heldMs = await askAll();
  const bytesEach = (process.memoryUsage.rss() - before) / count;
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const brokenMs = await askAll();
  await gateway.close();
  await testProvider.close();
  return { held, answered, asked: 4 * REQUESTS, aloneMs, heldMs, brokenMs, bytesEach };
}

const [count, address] = process.argv.slice(2);
assert.ok(Number(count) > 0, 'the first argument must be a count');
if (address !== undefined) await hold(Number(count), address);
else process.stdout.write(JSON.stringify(await measure(Number(count))));
