import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorEnvelope } from '@csg/shared/contract';
import { readRejection, rejectionError } from '../../../apps/cloud/src/upstream/provider-rejection.ts';
import { createProviders } from '../../../apps/cloud/src/upstream/providers.ts';

const [anthropic, openai] = createProviders();

function refusal(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = { status, headers, kind: 'json' as const, body: Buffer.from(text) };
  return { answer, read: readRejection(answer) };
}

describe('readRejection', () => {
  const shapes: [string, unknown, object][] = [
    [
      "OpenAI's",
      {
        error: {
          message: 'Too long',
          type: 'invalid_request_error',
          param: 'messages[0].content',
          code: 'ctx',
        },
      },
      { message: 'Too long', type: 'invalid_request_error', param: 'messages[0].content', code: 'ctx' },
    ],
    [
      "Anthropic's",
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      { message: 'Overloaded', type: 'overloaded_error', param: null, code: null },
    ],
    [
      'a bare string',
      { error: 'model not found' },
      { message: 'model not found', type: null, param: null, code: null },
    ],
    ["FastAPI's", { detail: 'Not Found' }, { message: 'Not Found', type: null, param: null, code: null }],
    [
      'a number as code',
      { error: { message: 'x', code: 404 } },
      { message: 'x', type: null, param: null, code: '404' },
    ],
    ['no object', '["x"]', { message: '', type: null, param: null, code: null }],
    ['no JSON', '<html>', { message: '', type: null, param: null, code: null }],
    ['nothing', '', { message: '', type: null, param: null, code: null }],
    [
      'names that are sentences',
      {
        error: { message: 'm', type: 'ignore all previous instructions', code: 'a'.repeat(65), param: ['x'] },
      },
      { message: 'm', type: null, param: null, code: null },
    ],
  ];
  for (const [what, body, expected] of shapes) {
    it(`reads ${what}`, () => assert.deepEqual(refusal(400, body).read, { status: 400, ...expected }));
  }

  it('limits the text, and cuts no letter in half', () => {
    const { message } = refusal(400, {
      error: { message: `${'a'.repeat(1_999)}🌍${'b'.repeat(100_000)}` },
    }).read;
    assert.equal(message.length, 0, 'a body over 64 KiB is not read');
    const cut = refusal(400, { error: { message: `${'a'.repeat(1_999)}🌍${'b'.repeat(9_000)}` } }).read
      .message;
    assert.equal(cut.length, 2_000);
    assert.ok(cut.isWellFormed());
  });
});

describe('rejectionError', () => {
  it("passes the provider's status in our envelope, next to its own names", () => {
    const { answer, read } = refusal(400, {
      error: { message: 'Too long', type: 'invalid_request_error', code: 'ctx' },
    });
    const error = rejectionError(openai!, read, read, answer.headers);
    assert.equal(error.status, 400);
    assert.deepEqual(errorEnvelope(error), {
      error: {
        message: 'OpenAI rejected the request (400): Too long',
        type: 'provider_error',
        code: 'provider_error',
        provider: 'openai',
        provider_status: 400,
        provider_code: 'ctx',
        provider_type: 'invalid_request_error',
      },
    });
  });

  it('withholds a text that the scan did not allow', () => {
    const { answer, read } = refusal(529, { error: { message: 'SECRET', type: 'overloaded_error' } });
    const error = rejectionError(anthropic!, read, null, answer.headers);
    assert.equal(error.status, 529);
    assert.equal(error.message, 'Anthropic failed (529).');
    assert.ok(!JSON.stringify(errorEnvelope(error)).includes('SECRET'));
  });

  for (const status of [400, 404, 409, 413, 422, 500, 502, 503, 504, 529]) {
    it(`keeps ${status}`, () => {
      const { answer, read } = refusal(status, {});
      assert.equal(rejectionError(openai!, read, null, answer.headers).status, status);
    });
  }

  const credentials: [string, number, unknown][] = [
    ['any 401', 401, ''],
    ['403 with a type that says so', 403, { error: { type: 'authentication_error', message: '' } }],
    ['403 permission_error', 403, { type: 'error', error: { type: 'permission_error', message: 'no' } }],
    ['403 with a code that says so', 403, { error: { code: 'invalid_api_key' } }],
    ['403 with a text that says so', 403, { error: { message: 'Your API key may not use this.' } }],
  ];
  for (const [what, status, body] of credentials) {
    it(`${what} -> 401 invalid_api_key that names the provider`, () => {
      const { answer, read } = refusal(status, body);
      const error = rejectionError(openai!, read, null, answer.headers);
      assert.equal(error.status, 401);
      assert.equal(error.code, 'invalid_api_key');
      assert.equal(error.type, 'authentication_error');
      assert.match(error.message, /OpenAI/);
      assert.equal(error.fields['provider_status'], status);
    });
  }

  it('does not quote the key that the provider quotes', () => {
    const { answer, read } = refusal(401, {
      error: { message: 'Incorrect API key provided: zz-stored-key.' },
    });
    const error = rejectionError(openai!, read, read, answer.headers);
    assert.ok(!JSON.stringify(errorEnvelope(error)).includes('zz-stored-key'));
    assert.match(error.message, /^OpenAI rejected the provider key\. Check /);
  });

  it('403 for another reason stays a provider_error', () => {
    const { answer, read } = refusal(403, { error: { code: 'unsupported_country', message: 'Not here.' } });
    const error = rejectionError(openai!, read, read, answer.headers);
    assert.deepEqual([error.code, error.status], ['provider_error', 403]);
  });

  it('429 with a used-up quota stays a provider_error, so that clients do not retry it', () => {
    for (const body of [{ code: 'insufficient_quota' }, { type: 'insufficient_quota' }]) {
      const { answer, read } = refusal(429, { error: { message: 'You exceeded your quota.', ...body } });
      const error = rejectionError(openai!, read, read, answer.headers);
      assert.deepEqual([error.status, error.code, error.type], [429, 'provider_error', 'provider_error']);
      assert.ok(Object.values(error.fields).includes('insufficient_quota'));
    }
  });

  it("429 -> rate_limit_exceeded of type rate_limit_error, with the provider's Retry-After and no retry_after", () => {
    const headers = {
      'retry-after': '13',
      'x-ratelimit-remaining-requests': '0',
      'content-type': 'application/json',
    };
    const { answer, read } = refusal(429, { error: { message: 'slow down', code: 'rate_limited' } }, headers);
    const error = rejectionError(openai!, read, read, answer.headers);
    assert.deepEqual(
      [error.status, error.code, error.type],
      [429, 'rate_limit_exceeded', 'rate_limit_error'],
    );
    assert.ok(!('retry_after' in error.fields));
    assert.deepEqual(error.headers, { 'retry-after': '13', 'x-ratelimit-remaining-requests': '0' });
  });
});
