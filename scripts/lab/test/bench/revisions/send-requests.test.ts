import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sendRequests } from '../../../bench/revisions/send-requests.ts';
import { threadCpuUs } from '../../../bench/revisions/thread-cpu.ts';
import { NUMBER, WORKLOADS } from '../../../bench/workloads.ts';

async function serve(status: (nth: number) => number) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    bodies.push(body);
    response.writeHead(status(bodies.length)).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { bodies, target: { name: 'it', url, headers: {} }, close: () => server.close() };
}

test('exactly so many requests are sent, no two alike', async () => {
  const { bodies, target, close } = await serve(() => 200);
  await sendRequests(target, { ...WORKLOADS.small, connections: 4 }, 25);
  close();
  assert.equal(bodies.length, 25);
  assert.equal(new Set(bodies).size, 25);
  const first = WORKLOADS.small.body.toString();
  assert.ok(bodies.includes(first.replace(NUMBER, '00000024')));
});

test('an answer other than 200 voids the round', async () => {
  const { target, close } = await serve((nth) => (nth === 3 ? 503 : 200));
  await assert.rejects(
    sendRequests(target, { ...WORKLOADS.small, connections: 1 }, 5),
    /it, small: answered 503/,
  );
  close();
});

test('the CPU time of a process is that which it used itself', { skip: process.platform !== 'linux' }, () => {
  const begun = process.cpuUsage();
  const before = threadCpuUs(process.pid);
  while (process.cpuUsage(begun).user < 100_000);
  const { user, system } = process.cpuUsage(begun);
  const ratio = (threadCpuUs(process.pid) - before) / (user + system);
  assert.ok(ratio > 0.8 && ratio < 1.25, `${ratio}`);
});
