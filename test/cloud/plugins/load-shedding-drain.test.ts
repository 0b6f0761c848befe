import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startGatewayProcess } from '../../support/gateway-process.ts';

const ANSWER = '{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"slow but sure"}}]}';

const CHAT = '{"model":"gpt-test","messages":[{"role":"user","content":"hi"}]}';

describe('SIGTERM', () => {
  test('completes running requests, rejects new ones with 503 and exits with 0', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'csg-test-'));
    const requests: ServerResponse[] = [];
    const testProvider = createServer((_request, response) => requests.push(response)).listen(0, '127.0.0.1');
    await once(testProvider, 'listening');
    t.after(async () => {
      testProvider.close();
      testProvider.closeAllConnections();
      await rm(dataDir, { recursive: true, force: true });
    });
    const gateway = await startGatewayProcess({
      dataDir,
      env: {
        LOG_LEVEL: 'info',
        PROVIDER_OPENAI_URL: `http://127.0.0.1:${(testProvider.address() as AddressInfo).port}`,
      },
    });
    t.after(() => gateway.kill());
    const port = Number(new URL(gateway.address).port);
    const key = gateway.firstKey as string;

    /** A connection with a request under way, so that it stays open while the service drains. */
    const openBusy = async () => {
      const socket = connect(port, '127.0.0.1');
      let received = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk;
      });
      const write = (method: string, path: string, body: string) =>
        socket.write(
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nAuthorization: Bearer sk-x\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
      const arrived = once(testProvider, 'request');
      write('POST', '/api/v1/chat/completions', CHAT);
      await arrived;
      const answers = once(socket, 'close').then(() => received.split(/(?=HTTP\/1\.1 )/));
      return { write, answers };
    };
    const first = await openBusy();
    const second = await openBusy();

    const draining = new Promise<void>((resolve) => {
      gateway.child.stderr?.on('data', () => {
        if (gateway.output().stderr.includes('draining')) resolve();
      });
    });
    gateway.child.kill('SIGTERM');
    await draining;
    // New connections are refused, from the moment the port is closed.
    for (let refused = false; !refused; ) {
      const attempt = connect(port, '127.0.0.1');
      refused = await Promise.race([
        once(attempt, 'connect').then(
          () => false,
          () => true,
        ),
        once(attempt, 'error').then(() => true),
      ]);
      attempt.destroy();
    }
    // On the open connections, each after the running request, so that it is answered after it.
    first.write('GET', '/health/ready', '');
    second.write('POST', '/api/v1/security/scan', '{"content":"too late"}');
    for (const response of requests)
      response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
    const [chat = '', ready = ''] = await first.answers;
    const [otherChat = '', late = ''] = await second.answers;
    const { code } = await gateway.ended;

    for (const answer of [chat, otherChat]) {
      assert.match(answer, /^HTTP\/1\.1 200 /);
      assert.ok(answer.endsWith(ANSWER), answer);
    }
    assert.match(ready, /^HTTP\/1\.1 503 /);
    assert.match(ready, /"status":"draining"/);
    assert.match(late, /^HTTP\/1\.1 503 /);
    assert.match(late, /"code":"service_unavailable"/);
    assert.match(late, /\r\nretry-after: 1\r\n/i);
    assert.equal(code, 0, gateway.output().stderr);
  });
});
