import assert from 'node:assert/strict';
import type { ErrorCode } from '@csg/shared/contract';
import { PROVIDER_KEY } from '../support/clients.ts';
import { CHAT, chat, type Json, type Rows, read, SCAN, scan } from './error-test-env.ts';
import { exchange } from './raw-http.ts';

const SCRAPE = '/api/v1/scrape';

/** Errors of the request itself: bodies, addresses, states and repeated requests. */
export const REQUEST_ERRORS = {
  invalid_request: [
    { provoke: (w) => w.ask('POST', SCAN, { body: '{' }) },
    { provoke: (w) => w.ask('POST', SCAN, { body: {} }), fields: ['param'] },
    {
      provoke: (w) => w.ask('POST', SCAN, { body: { content: 'x'.repeat(100_001) } }),
      fields: ['param', 'max_characters'],
    },
    { provoke: (w) => w.ask('POST', '/api/v1/guard', { body: { messages: [] } }), fields: ['param'] },
    { provoke: (w) => w.ask('POST', CHAT, { body: '{"messages":1}', bearer: PROVIDER_KEY }) },
    { provoke: (w) => w.ask('POST', SCAN, { body: scan, headers: { 'idempotency-key': 'a b' } }) },
  ],
  invalid_preset: ['run-all', 'run-custom', 'run/direct_ignore_above'].map((run) => ({
    provoke: (w) =>
      w.ask('POST', `/api/v1/security-testing/${run}`, { body: { target_preset: 'permissive' } }),
    fields: ['param', 'valid_presets'],
  })),
  engine_unavailable:
    'provoked in test/cloud/routes/security-testing.test.ts, on an engine that cannot start',
  address_refused: ['http://127.0.0.1/', 'http://a:b@example.com/', 'http://example.com:25/'].map((url) => ({
    provoke: (w) => w.ask('POST', SCRAPE, { body: { url } }),
    fields: ['reason'],
  })),
  page_unreachable: [
    {
      provoke: async (w) => {
        const open = await w.other({ env: { SCRAPE_ALLOW_PRIVATE: 'on' } });
        return read(await open.call('POST', SCRAPE, { body: { url: 'http://127.0.0.1:1/' } }));
      },
      fields: ['reason'],
    },
  ],
  page_timeout: 'provoked in test/cloud/routes/scrape.test.ts, by a server that never ends',
  page_not_supported: 'provoked in test/cloud/routes/scrape.test.ts, by pages that are no text',
  renderer_unavailable: [
    {
      provoke: async (w) => {
        const blind = await w.other({ env: { CHROMIUM_PATH: '/nowhere/chromium' } });
        const body = { url: 'https://example.com/', render_js: true };
        return read(await blind.call('POST', SCRAPE, { body }));
      },
    },
  ],
  invalid_signature: [{ provoke: (w) => w.ask('POST', '/api/v1/github/webhook', { body: {} }) }],
  invalid_state: [
    {
      provoke: async (w) => {
        const created = await w.gateway.call('POST', '/api/v1/exceptions', {
          body: { destination_host: 'api.example.com' },
        });
        const { id } = (await created.json()) as { id: string };
        const cancel = `/api/v1/exceptions/${id}/cancel`;
        assert.equal((await w.gateway.call('POST', cancel)).status, 200);
        return w.ask('POST', cancel);
      },
      fields: ['status'],
    },
  ],
  not_found: [
    { provoke: (w) => w.ask('GET', '/api/v1/nowhere') },
    { provoke: (w) => w.ask('GET', '/nowhere', { key: null }) },
    { provoke: (w) => w.ask('DELETE', '/api/v1/api-keys/key_nowhere') },
  ],
  unsupported_route: [
    {
      provoke: (w) => w.ask('POST', '/api/v1/files', { body: {} }),
      fields: ['supported'],
      hold: ({ error }) => assert.ok((error['supported'] as string[]).includes('POST /api/v1/responses')),
    },
  ],
  method_not_allowed: [
    {
      provoke: (w) => w.ask('GET', SCAN),
      hold: ({ headers }) => assert.equal(headers.get('allow'), 'POST'),
    },
    {
      provoke: (w) => w.ask('PATCH', '/api/v1/api-keys'),
      hold: ({ headers }) => assert.match(headers.get('allow') ?? '', /GET.*POST|POST.*GET/),
    },
  ],
  payload_too_large: [
    {
      provoke: async (w) => {
        const small = await w.other({ env: { BODY_LIMIT_BYTES: '2048' } });
        return read(await small.call('POST', CHAT, { body: chat('x'.repeat(3_000)), bearer: PROVIDER_KEY }));
      },
    },
  ],
  unsupported_media_type: [
    { provoke: (w) => w.ask('POST', SCAN, { body: 'hello', headers: { 'content-type': 'text/plain' } }) },
  ],
  idempotency_key_reused: [
    {
      provoke: async (w) => {
        const headers = { 'idempotency-key': 'one' };
        await w.gateway.call('POST', SCAN, { body: scan, headers });
        return w.ask('POST', SCAN, { body: { content: 'another' }, headers });
      },
    },
  ],
  idempotency_not_replayable: [
    {
      provoke: async (w) => {
        const request = {
          body: chat(),
          headers: { 'idempotency-key': 'too-large-to-store' },
          bearer: PROVIDER_KEY,
        };
        w.testProvider.answer({ text: 'a quiet river. '.repeat(80_000) });
        const first = await w.gateway.call('POST', CHAT, request);
        assert.equal(first.status, 200);
        await first.arrayBuffer();
        return await w.ask('POST', CHAT, request);
      },
    },
  ],
  idempotency_in_progress: [
    {
      provoke: async (w) => {
        await w.testProvider.fault('stall');
        const headers = { 'idempotency-key': 'two' };
        const arrived = w.testProvider.nextRequest();
        const leave = new AbortController();
        const first = fetch(`${w.gateway.address}${CHAT}`, {
          method: 'POST',
          signal: leave.signal,
          headers: {
            ...headers,
            'x-api-key': w.gateway.key,
            authorization: `Bearer ${PROVIDER_KEY}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify(chat()),
        });
        await arrived;
        const second = await w.ask('POST', CHAT, { body: chat(), headers, bearer: PROVIDER_KEY });
        leave.abort();
        await assert.rejects(first);
        return second;
      },
      fields: ['retry_after'],
    },
  ],
  request_timeout: [
    {
      provoke: async (w) => {
        const hurried = await w.other({ env: { REQUEST_TIMEOUT_MS: '200' } });
        const { answers } = await exchange(hurried.address, `POST ${SCAN} HTTP/1.1\r\nHost: x\r\nX-Note`);
        const [answer] = answers;
        assert.ok(answer !== undefined, 'no response');
        const { error } = JSON.parse(answer.body) as { error: Json };
        return { status: answer.status, headers: new Headers(answer.headers), error };
      },
    },
  ],
} satisfies Partial<Record<ErrorCode, Rows>>;
