import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProviders } from '../../../apps/cloud/src/upstream/providers.ts';
import { replyHeaders } from '../../../apps/cloud/src/upstream/reply-headers.ts';

const row = {
  name: 'all',
  base_url: 'http://x.example',
  dialects: ['models'],
  reply_headers: ['x-*', 'set-*', 'server'],
};
const [greedy, anthropic, openai] = createProviders({ extra: [row] });

describe('replyHeaders', () => {
  it("forwards OpenAI's, its request id under another name because that one is ours", () => {
    assert.deepEqual(
      replyHeaders(openai!, {
        'content-type': 'application/json',
        'x-request-id': 'req_1',
        'openai-processing-ms': '12',
        'openai-organization': 'org',
        'openai-version': '2020-10-01',
        'x-ratelimit-limit-requests': '5000',
        'x-ratelimit-remaining-tokens': '39',
        'x-ratelimit-reset-requests': '12ms',
        'retry-after': '3',
        'retry-after-ms': '2900',
      }),
      {
        'content-type': 'application/json',
        'x-provider-request-id': 'req_1',
        'openai-processing-ms': '12',
        'openai-organization': 'org',
        'openai-version': '2020-10-01',
        'x-ratelimit-limit-requests': '5000',
        'x-ratelimit-remaining-tokens': '39',
        'x-ratelimit-reset-requests': '12ms',
        'retry-after': '3',
        'retry-after-ms': '2900',
      },
    );
  });

  it("forwards Anthropic's, its request id under its own name", () => {
    const headers = {
      'request-id': 'req_2',
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-organization-id': 'o',
    };
    assert.deepEqual(replyHeaders(anthropic!, headers), headers);
  });

  it('never overwrites our rate-limit names', () => {
    assert.deepEqual(
      replyHeaders(openai!, {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '4',
        'x-ratelimit-reset': '1',
      }),
      {
        'x-provider-ratelimit-limit': '5',
        'x-provider-ratelimit-remaining': '4',
        'x-provider-ratelimit-reset': '1',
      },
    );
  });

  it('drops the rest, even if a row asks for it', () => {
    const headers = {
      'set-cookie': ['a=1', 'b=2'],
      server: 'x',
      date: 'x',
      'alt-svc': 'h3',
      'strict-transport-security': 'max-age=1',
      connection: 'close',
      'keep-alive': 'timeout=5',
      'transfer-encoding': 'chunked',
      'content-encoding': 'gzip',
      'content-length': '10',
      'access-control-allow-origin': '*',
      'x-service-decision': 'allow',
      'x-service-event-id': 'evt_forged',
      'x-idempotency-replayed': 'true',
      location: 'http://elsewhere',
    };
    assert.deepEqual(replyHeaders(openai!, headers), {});
    assert.deepEqual(replyHeaders(greedy!, headers), {});
    assert.deepEqual(replyHeaders(greedy!, { 'x-request-id': 'r', 'x-cost': '1' }), {
      'x-provider-request-id': 'r',
      'x-cost': '1',
    });
  });

  it('drops values that none of our headers could have', () => {
    const headers = {
      'openai-a': 'gr\u00fc\u00dfe',
      'openai-b': 'x'.repeat(2_000),
      'openai-c': ['1', '2'],
      'openai-d': '',
      'openai-e': undefined,
    };
    assert.deepEqual(replyHeaders(openai!, headers), {});
  });
});
