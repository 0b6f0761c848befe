import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRuleset, scan } from '@csg/shared/detection';
import { type Header, maskedHeaders, readableHeaders } from '@csg/shared/providers';

/** As coding agents, libraries and browsers send them. */
const USUAL: readonly Header[] = [
  ['user-agent', 'claude-cli/2.0.31 (external, cli)'],
  [
    'user-agent',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  ],
  ['user-agent', 'codex_cli_rs/0.63.0 (Debian 13.0.0; x86_64) unknown (codex_exec; 0.63.0)'],
  ['accept', 'application/json, text/event-stream;q=0.9'],
  ['accept-language', 'en-US,en;q=0.9,de;q=0.8'],
  ['content-type', 'application/json; charset=utf-8'],
  ['x-stainless-package-version', '6.9.1'],
  ['x-stainless-timeout', '600'],
  ['x-app', 'cli'],
  ['originator', 'codex_cli_rs'],
  ['session_id', '019a8c3e-7d51-7c40-9f3e-2f6b1a0d4c11'],
  ['openai-organization', 'org-Xq2Z7cYv1LkT0pWs3bNa'],
  ['openai-project', 'proj_8fJ2kLmN0pQrStUvWxYz12'],
  ['x-goog-api-client', 'gl-node/24.1.0 gccl/1.30.0 gapic/5.2.1'],
  ['x-goog-user-project', '829304716250'],
  ['referer', 'https://chatgpt.com/c/67f1c1b0-2f54-8013-a1e5-6d4f0b7c9e21'],
  ['origin', 'https://claude.ai'],
  ['oai-device-id', '5b7f0c52-3f0e-4f0a-9a51-64b8b3a9f2de'],
  ['oai-client-build-number', '4125983'],
  ['oai-client-version', 'prod-3f1c9e8d7b6a5f4e3d2c1b0a9f8e7d6c5b4a3f2e'],
  ['x-client-data', 'CIa2yQEIpbbJAQipncoBCMKTywEIlaHLAQiFoM0BCI/OzQE='],
  ['if-none-match', 'W/"5d8c72a5edda8d6a"'],
  ['x-timestamp', '1764518400123'],
];

test('nothing is found in what clients usually send', () => {
  const read = readableHeaders(USUAL);
  assert.equal(read.length, USUAL.length);
  for (const strictness of ['moderate', 'strict'] as const) {
    const rules = compileRuleset({ useCase: 'default', strictness, policies: [] });
    for (const { at, slot } of read)
      assert.deepEqual(scan([slot], rules, 'input'), [], USUAL[at]?.join(': '));
  }
});

test('credentials, the transport and generated ids are read for our own keys alone', () => {
  const names = ['authorization', 'cookie', 'x-goog-api-key', 'x-csrf-token', 'openai-sentinel-proof-token'];
  names.push('anthropic-beta', 'x-request-id', 'traceparent', 'x-amzn-trace-id', 'idempotency-key', 'host');
  names.push('sec-ch-ua', 'x-amz-date', 'content-length', ':authority');
  for (const name of names) {
    assert.deepEqual(readableHeaders([[name, '4111 1111 1111 1111']]), [], name);
    assert.equal(readableHeaders([[name, 'Bearer svc_live_x']]).length, 1, name);
  }
  assert.deepEqual(readableHeaders([['content-type', 'multipart/form-data; boundary=4111111111111111']]), []);
});

test('masks are written to the header that they are in, by its place', () => {
  const read = readableHeaders([
    ['cookie', 'a=b'],
    ['x-a', 'one'],
    ['x-a', 'two'],
  ]);
  const [, second] = read;
  const masked = maskedHeaders(read, (slot) =>
    slot === second?.slot ? [{ start: 1, end: 3, text: '[X]' }] : undefined,
  );
  assert.deepEqual([...masked], [[2, 't[X]']]);
});
