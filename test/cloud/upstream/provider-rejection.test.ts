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

const NOTHING = { message: '', type: null, param: null, code: null, details: {} };

describe('readRejection', () => {
  const quota = {
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [{ quotaId: 'PerDay' }],
  };
  const google = { code: 429, message: 'Used up', status: 'RESOURCE_EXHAUSTED', details: [quota] };
  const fromGoogle = {
    ...NOTHING,
    message: 'Used up',
    code: '429',
    details: { status: 'RESOURCE_EXHAUSTED', details: [quota] },
  };
  const own = {
    message: 'Too long',
    type: 'invalid_request_error',
    param: 'messages[0].content',
    code: 'ctx',
  };
  const shapes: [string, unknown, object][] = [
    ["OpenAI's", { error: own }, { ...NOTHING, ...own }],
    [
      "Anthropic's",
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      { ...NOTHING, message: 'Overloaded', type: 'overloaded_error' },
    ],
    ["Google's", { error: google }, fromGoogle],
    ["Google's in a list", [{ error: google }], fromGoogle],
    [
      "Azure's",
      { error: { message: 'Filtered', code: 'content_filter', innererror: { code: 'Policy' } } },
      {
        ...NOTHING,
        message: 'Filtered',
        code: 'content_filter',
        details: { innererror: { code: 'Policy' } },
      },
    ],
    [
      "members that are ours, which are not the provider's",
      {
        error: {
          message: 'm',
          event_id: 'evt_1',
          provider: 'other',
          retry_after: 9,
          service_code: 'x',
          plan: 1,
        },
      },
      { ...NOTHING, message: 'm', details: { plan: 1 } },
    ],
    ['a bare string', { error: 'model not found' }, { ...NOTHING, message: 'model not found' }],
    ["FastAPI's", { detail: 'Not Found' }, { ...NOTHING, message: 'Not Found' }],
    ['a number as code', { error: { message: 'x', code: 404 } }, { ...NOTHING, message: 'x', code: '404' }],
    ['no object', '["x"]', NOTHING],
    ['no JSON', '<html>', NOTHING],
    ['nothing', '', NOTHING],
    [
      'names that are sentences',
      {
        error: { message: 'm', type: 'ignore all previous instructions', code: 'a'.repeat(65), param: ['x'] },
      },
      { ...NOTHING, message: 'm' },
    ],
  ];
  for (const [what, body, expected] of shapes) {
    it(`reads ${what}`, () => assert.deepEqual(refusal(400, body).read, { status: 400, ...expected }));
  }

  it('keeps the whole text, but reads no body over 64 KiB', () => {
    const read = (letters: number) =>
      refusal(400, { error: { message: `${'a'.repeat(letters)}🌍b` } }).read.message;
    assert.equal(read(20_000), `${'a'.repeat(20_000)}🌍b`);
    assert.equal(read(100_000), '');
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
      error: { message: 'Incorrect API key provided: zz-stored-key.', details: ['zz-stored-key'] },
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

  it('a spent daily quota is a provider_error, and clients of Google find status, details and number', () => {
    const details = (quotaId: string) => [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
    ];
    const shown = (quotaId: string, keepsCode: boolean) => {
      const error = {
        code: 429,
        message: 'Used up.',
        status: 'RESOURCE_EXHAUSTED',
        details: details(quotaId),
      };
      const { answer, read } = refusal(429, { error });
      return errorEnvelope(rejectionError(openai!, read, read, answer.headers, keepsCode)).error;
    };
    const daily = shown('GenerateRequestsPerDayPerProject', true);
    assert.deepEqual(
      [daily.code, daily['service_code'], daily['status'], daily['details'], daily['provider_code']],
      [429, 'provider_error', 'RESOURCE_EXHAUSTED', details('GenerateRequestsPerDayPerProject'), '429'],
    );
    assert.ok(!('retry_after' in daily));
    assert.equal(shown('GenerateRequestsPerMinutePerProject', true)['service_code'], 'rate_limit_exceeded');
    const elsewhere = shown('RequestsPerDay', false);
    assert.deepEqual([elsewhere.code, elsewhere['service_code']], ['provider_error', undefined]);
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
