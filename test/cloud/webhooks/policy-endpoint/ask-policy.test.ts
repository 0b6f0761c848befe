import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { createEndpointClient } from '../../../../apps/cloud/src/webhooks/outbound/endpoint-client.ts';
import { askPolicy, readResponse } from '../../../../apps/cloud/src/webhooks/policy-endpoint/ask-policy.ts';
import { HANG_LIMIT_MS } from '../../../support/until.ts';

describe('the response of a policy endpoint', () => {
  test('has a verdict with a reason, or is invalid or an error', () => {
    assert.deepEqual(readResponse('{"verdict":"allow"}'), { verdict: 'allow', reason: null });
    assert.deepEqual(readResponse('{"verdict":"block","reason":"no"}'), { verdict: 'block', reason: 'no' });
    assert.deepEqual(readResponse('{"verdict":"redact","redacted_content":"x","reason":7}'), {
      verdict: 'redact',
      reason: null,
      redactedContent: 'x',
    });
    for (const odd of ['"BLOCK"', '"deny"', 'null', '7', '{}', '["block"]']) {
      assert.deepEqual(readResponse(`{"verdict":${odd}}`), { verdict: 'invalid' }, odd);
    }
    for (const odd of ['', '{', '[]', 'null', '7', '"block"', '{"verdict":"redact"}', '<html>']) {
      assert.equal(readResponse(odd).verdict, 'error', odd);
    }
    const long = readResponse(`{"verdict":"block","reason":"${'x'.repeat(9_000)}"}`);
    assert.equal(long.verdict === 'block' && long.reason?.length, 500);
  });

  test('is not requested from inner addresses', async () => {
    const client = createEndpointClient();
    const body = '{"content":"x"}';
    for (const url of ['http://127.0.0.1/', 'http://169.254.169.254/', 'ftp://example.com/', 'x']) {
      const answer = await askPolicy(client, {
        url,
        timeoutMs: HANG_LIMIT_MS,
        secrets: [],
        body,
        isTest: false,
      });
      assert.equal(answer.verdict, 'error', url);
    }
    await client.close();
  });
});

test('an endless response is cut off, and counts as no response', async () => {
  let written = 0;
  const server = createServer((_request, response) => {
    const push = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536))) written += 65_536;
      if (!response.destroyed) response.once('drain', push);
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    push();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = createEndpointClient({ allowPrivate: true });
  try {
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const call = { url, timeoutMs: HANG_LIMIT_MS, secrets: [], body: '{}', isTest: false };
    const answer = await askPolicy(client, call);
    assert.deepEqual(answer, {
      ...{ status: 200, verdict: 'error', error: 'The response is much longer than the content.' },
    });
    assert.ok(written < 16 * 1024 * 1024, `${written} bytes were written`);
  } finally {
    await client.close();
    server.close().closeAllConnections();
  }
});
