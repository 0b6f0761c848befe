import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { freePort } from '../../../test/support/free-port.ts';
import { startGateway } from '../../../test/support/gateway.ts';
import { coverageTable, totalOf } from '../audit-gateway/coverage-table.ts';
import { auditGateway } from '../audit-gateway.ts';

test('of our gateway, every place is reported as read', async () => {
  const providerPort = await freePort();
  const gateway = await startGateway({ providerUrl: `http://127.0.0.1:${providerPort}` });
  try {
    await gateway.storage.subscriptions.set(gateway.account.accountId, { perMinute: 1_000_000 });
    const target = { url: `${gateway.address}/api`, key: gateway.key, headers: {}, providerPort };
    const results = await auditGateway({ ...target, only: 'openai-completions' });
    const { places, unread } = totalOf(results);
    assert.ok(places > 50, coverageTable(results));
    assert.equal(unread, 0, coverageTable(results));
    assert.ok(results.every(({ isServed }) => isServed));
    assert.equal(results.length, 5);
  } finally {
    await gateway.close();
  }
});

test('of a proxy that reads nothing, every place is reported as unread, except unsupported ones', async () => {
  const providerPort = await freePort();
  const proxy = createServer((request, response) => {
    if (request.url !== '/v1/completions') return void response.writeHead(404).end();
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', async () => {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer x' };
      const upstream = `http://127.0.0.1:${providerPort}/v1/completions`;
      const received = await fetch(upstream, { method: 'POST', headers, body });
      response.writeHead(received.status, { 'content-type': received.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await received.arrayBuffer()));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  try {
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const served = await auditGateway({ url, headers: {}, providerPort, only: 'openai-completions' });
    assert.equal(totalOf(served).percent, '0.0%', coverageTable(served));
    const rest = await auditGateway({ url, headers: {}, providerPort, only: 'openai-moderations' });
    assert.equal(totalOf(rest).places, 0);
    assert.match(coverageTable(rest), /not served/);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});
