import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { generateText } from 'ai';
import OpenAI from 'openai';
import { PROVIDER_KEY } from '../../support/clients.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

/** The root of the routes of one of both, and the headers that it needs. */
interface Target {
  readonly v1: string;
  readonly anthropic: string;
  readonly google: string;
  readonly headers: Record<string, string>;
}

interface Failure {
  readonly status: number;
  readonly error: object;
}

interface Client {
  readonly failures: Readonly<Record<string, Failure>>;
  /** With the retries that the package makes by itself. */
  call(target: Target): Promise<unknown>;
}

const openai = (status: number, message: string, type: string, code: string | null, more: object = {}) => ({
  status,
  error: { error: { message, type, param: null, code, ...more } },
});
const anthropic = (status: number, type: string, message: string, details?: object) => ({
  status,
  error: { type: 'error', error: { type, message, details }, request_id: 'req_1' },
});
const google = (code: number, status: string, message: string, details: readonly object[] = []) => ({
  status: code,
  error: { error: { code, message, status, details } },
});

const LONG = `Your input has 300,000 tokens. ${'Shorten the conversation, or begin another one. '.repeat(80)}`;
const OPENAI = {
  quota: openai(
    429,
    'You exceeded your current quota, please check your plan and billing details.',
    'insufficient_quota',
    'insufficient_quota',
  ),
  'rate limit': openai(
    429,
    'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000.',
    'tokens',
    'rate_limit_exceeded',
  ),
  overload: openai(503, 'The engine is currently overloaded, please try again later', 'server_error', null),
  'context length': openai(400, LONG, 'invalid_request_error', 'context_length_exceeded'),
  'invalid image': openai(
    400,
    'The image data you provided does not represent a valid image.',
    'invalid_request_error',
    'invalid_image',
  ),
  'content filter': openai(400, 'The response was filtered.', 'invalid_request_error', 'content_filter', {
    innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: { hate: { filtered: true } } },
  }),
  'usage limit': openai(429, 'The usage limit has been reached', 'usage_limit_reached', null, {
    plan_type: 'plus',
    resets_in_seconds: 4000,
  }),
};
const ANTHROPIC = {
  'rate limit': anthropic(
    429,
    'rate_limit_error',
    'This request would exceed your organization’s rate limit of 30,000 input tokens per minute.',
  ),
  overload: anthropic(529, 'overloaded_error', 'Overloaded'),
  'context length': anthropic(
    400,
    'invalid_request_error',
    `prompt is too long: 210000 tokens > 200000 maximum. ${LONG}`,
  ),
  credit: anthropic(
    400,
    'invalid_request_error',
    'Your credit balance is too low to access the Anthropic API.',
  ),
  'invalid image': anthropic(
    400,
    'invalid_request_error',
    'messages.0.content.1.image.source.base64: invalid base64 data',
    {
      error_visibility: 'user_facing',
    },
  ),
};
const TYPE = 'type.googleapis.com/google.rpc.';
const GOOGLE = {
  quota: google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan.', [
    {
      '@type': `${TYPE}QuotaFailure`,
      violations: [
        {
          quotaMetric: 'generativelanguage.googleapis.com/generate_requests_per_model_per_day',
          quotaId: 'GenerateRequestsPerDayPerProjectPerModel',
          quotaValue: '100',
        },
      ],
    },
    {
      '@type': `${TYPE}Help`,
      links: [{ description: 'Learn more', url: 'https://ai.google.dev/gemini-api/docs/rate-limits' }],
    },
    { '@type': `${TYPE}RetryInfo`, retryDelay: '34s' },
  ]),
  overload: google(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  'context length': google(400, 'INVALID_ARGUMENT', `The input token count exceeds the maximum. ${LONG}`),
  'invalid image': google(400, 'INVALID_ARGUMENT', 'Unable to process input image.', [
    {
      '@type': `${TYPE}BadRequest`,
      fieldViolations: [{ field: 'contents[0].parts[1]', description: 'No image.' }],
    },
  ]),
};

const messages = [{ role: 'user' as const, content: 'Hi' }];
const ask = (model: Parameters<typeof generateText>[0]['model']) => generateText({ model, prompt: 'Hi' });
const CLIENTS: Readonly<Record<string, Client>> = {
  'openai, chat completions': {
    failures: OPENAI,
    call: ({ v1, headers }) =>
      new OpenAI({ baseURL: v1, apiKey: PROVIDER_KEY, defaultHeaders: headers }).chat.completions.create({
        model: 'gpt-5',
        messages,
      }),
  },
  'openai, responses as a stream': {
    failures: OPENAI,
    call: ({ v1, headers }) =>
      new OpenAI({ baseURL: v1, apiKey: PROVIDER_KEY, defaultHeaders: headers }).responses.create({
        model: 'gpt-5',
        input: 'Hi',
        stream: true,
      }),
  },
  '@anthropic-ai/sdk': {
    failures: ANTHROPIC,
    call: ({ anthropic: baseURL, headers }) =>
      new Anthropic({ baseURL, authToken: PROVIDER_KEY, defaultHeaders: headers }).messages.create({
        model: 'claude-test',
        max_tokens: 9,
        messages,
      }),
  },
  '@google/genai': {
    failures: GOOGLE,
    call: ({ google: baseUrl, headers }) =>
      new GoogleGenAI({
        apiKey: 'AIzaSy-own',
        httpOptions: { baseUrl, headers },
      }).models.generateContentStream({ model: 'gemini-test', contents: 'Hi' }),
  },
  '@ai-sdk/openai': {
    failures: OPENAI,
    call: ({ v1, headers }) =>
      ask(createOpenAI({ baseURL: v1, apiKey: PROVIDER_KEY, headers }).chat('gpt-5')),
  },
  '@ai-sdk/anthropic': {
    failures: ANTHROPIC,
    call: ({ anthropic: root, headers }) =>
      ask(createAnthropic({ baseURL: `${root}/v1`, authToken: PROVIDER_KEY, headers })('claude-test')),
  },
  '@ai-sdk/google': {
    failures: GOOGLE,
    call: ({ google: root, headers }) =>
      ask(
        createGoogleGenerativeAI({ baseURL: `${root}/v1beta`, apiKey: 'AIzaSy-own', headers })('gemini-test'),
      ),
  },
};

describe('errors of a provider', () => {
  let provider: TestProvider;
  let gateway: TestGateway;
  before(async () => {
    provider = await startTestProvider();
    gateway = await startGateway({ providerUrl: provider.url });
  });
  after(async () => {
    await gateway.close();
    await provider.close();
  });

  async function fail(client: Client, target: Target, { status, error }: Failure) {
    await provider.reset();
    // The packages wait as long as they are told.
    provider.answer({
      status,
      headers: { 'content-type': 'application/json', 'retry-after-ms': '1' },
      body: JSON.stringify(error),
    });
    const thrown = await client.call(target).then(
      () => assert.fail('the call succeeded'),
      (cause: unknown) => cause as Error & { status?: number },
    );
    const { message, name } = thrown;
    return {
      shown: message,
      kind: `${thrown.constructor.name} ${name} ${thrown.status}`,
      calls: provider.requests.length,
    };
  }

  for (const [name, client] of Object.entries(CLIENTS))
    for (const [what, failure] of Object.entries(client.failures))
      test(`${name}, ${what}: as many calls as without the gateway, and the whole message`, async () => {
        const { url } = provider;
        const own = { v1: `${url}/v1`, anthropic: url, google: url, headers: {} };
        const { address, key } = gateway;
        const through = {
          ...{ v1: `${address}/api/v1`, anthropic: `${address}/api`, google: `${address}/api` },
          headers: { 'X-API-Key': key },
        };
        const direct = await fail(client, own, failure);
        const relayed = await fail(client, through, failure);
        assert.equal(relayed.calls, direct.calls);
        assert.equal(relayed.kind, direct.kind);
        const { message } = (failure.error as { error: { message: string } }).error;
        assert.ok(direct.shown.includes(message.trim()), direct.shown);
        assert.ok(relayed.shown.includes(message.trim()), relayed.shown);
      });

  const prompt = { model: 'm', max_tokens: 9, messages };
  const routes: [string, Readonly<Record<string, Failure>>, object][] = [
    ['chat/completions', OPENAI, prompt],
    ['messages', ANTHROPIC, prompt],
    ['models/gemini-test:generateContent', GOOGLE, { contents: [{ parts: [{ text: 'Hi' }] }] }],
  ];
  for (const [route, failures, body] of routes)
    for (const [what, { status, error }] of Object.entries(failures))
      test(`${route}, ${what}: every member of the provider’s error arrives`, async () => {
        provider.answer({ status, body: JSON.stringify(error) });
        const answer = await gateway.call('POST', `/api/v1/${route}`, { bearer: PROVIDER_KEY, body });
        const { error: shown } = (await answer.json()) as { error: Record<string, unknown> };
        const sent = (JSON.parse(JSON.stringify(error)) as { error: Record<string, unknown> }).error;
        const { message, type, code, param, ...more } = sent;
        assert.deepEqual({ ...shown, ...more }, shown);
        assert.ok(String(shown['message']).endsWith(String(message).trim()));
        assert.equal(shown['provider_type'], type);
        assert.equal(shown['provider_code'], code == null ? undefined : String(code));
        assert.equal(shown['provider_status'], status);
        assert.equal(typeof shown['code'] === 'number', typeof code === 'number');
      });

  test('details are scanned like answers', async () => {
    const details = [
      {
        links: [{ description: 'Mail jane.roe@example.org, card 4111 1111 1111 1111' }],
        id: 4111111111111111,
      },
    ];
    provider.answer({
      status: 400,
      body: JSON.stringify({ error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT', details } }),
    });
    const answer = await gateway.call('POST', '/api/v1beta/models/gemini-test:generateContent', {
      headers: { 'x-goog-api-key': 'AIzaSy-own' },
      body: { contents: [{ parts: [{ text: 'Hi' }] }] },
    });
    const text = await answer.text();
    assert.doesNotMatch(text, /jane\.roe|4111/);
    assert.match(
      text,
      /"status":"INVALID_ARGUMENT","details":\[\{"links":\[\{"description":"Mail \[EMAIL\], card \[CREDIT_CARD\]"/,
    );
  });
});
