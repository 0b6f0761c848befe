import type { RawReply } from '../../../../test/support/test-provider.ts';

/** What a provider refuses a request for. */
export type ErrorKind = 'quota' | 'overload' | 'context length' | 'credit' | 'invalid image';

type Interface = 'anthropic' | 'openai' | 'gemini';

interface ProviderError {
  readonly status: number;
  readonly message: string;
  /** The other members of the error object. */
  readonly more: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const google = (type: string, more: object) => ({
  '@type': `type.googleapis.com/google.rpc.${type}`,
  ...more,
});
const QUOTA = 'generativelanguage.googleapis.com/generate_requests_per_model_per_day';

/** In the words of the providers, with the members and headers that their clients read. */
const ERRORS: Readonly<Record<ErrorKind, Readonly<Record<Interface, ProviderError>>>> = {
  quota: {
    anthropic: {
      status: 429,
      message:
        'This request would exceed your organization’s (0c8e1f2a-5d3b-4f6e-9a7c-1b2d3e4f5a6b) rate limit of 400,000 input tokens per minute. For details, refer to: https://docs.claude.com/en/api/rate-limits.',
      more: { type: 'rate_limit_error' },
      headers: {
        'x-should-retry': 'false',
        'anthropic-ratelimit-input-tokens-limit': '400000',
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-11-30T10:00:00Z',
      },
    },
    openai: {
      status: 429,
      message:
        'Rate limit reached for gpt-standin in organization org-Kx7vQ2mZ9pRtY4wLbN8cHd on tokens per min (TPM): Limit 30000, Used 29500, Requested 1200. Please try again in 20ms. Visit https://platform.openai.com/account/rate-limits to learn more.',
      more: { type: 'tokens', param: null, code: 'rate_limit_exceeded' },
      headers: { 'retry-after-ms': '20', 'x-ratelimit-remaining-tokens': '0' },
    },
    gemini: {
      status: 429,
      message:
        'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.',
      more: {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        details: [
          google('QuotaFailure', {
            violations: [
              {
                quotaMetric: QUOTA,
                quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
                quotaDimensions: { location: 'global', model: 'gemini-2.5-pro' },
                quotaValue: '100',
              },
            ],
          }),
          google('RetryInfo', { retryDelay: '34s' }),
        ],
      },
    },
  },
  overload: {
    anthropic: {
      status: 529,
      message: 'Overloaded',
      more: { type: 'overloaded_error' },
      headers: { 'x-should-retry': 'true' },
    },
    openai: {
      status: 503,
      message: 'The server is currently overloaded with other requests. Sorry about that! Try again later.',
      more: { type: 'service_unavailable_error', param: null, code: 'server_is_overloaded' },
      headers: { 'retry-after-ms': '20' },
    },
    gemini: {
      status: 503,
      message: 'The model is overloaded. Please try again later.',
      more: { code: 503, status: 'UNAVAILABLE' },
    },
  },
  'context length': {
    anthropic: {
      status: 400,
      message: 'prompt is too long: 214501 tokens > 200000 maximum',
      more: { type: 'invalid_request_error' },
    },
    openai: {
      status: 400,
      message:
        "This model's maximum context length is 400000 tokens. However, your messages resulted in 412345 tokens. Please reduce the length of the messages.",
      more: { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    },
    gemini: {
      status: 400,
      message: 'The input token count (1195361) exceeds the maximum number of tokens allowed (1048576).',
      more: { code: 400, status: 'INVALID_ARGUMENT' },
    },
  },
  credit: {
    anthropic: {
      status: 400,
      message:
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      more: { type: 'invalid_request_error' },
    },
    openai: {
      status: 429,
      message:
        'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
      more: { type: 'insufficient_quota', param: null, code: 'insufficient_quota' },
    },
    gemini: {
      status: 429,
      message:
        'Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing.',
      more: {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        details: [
          google('ErrorInfo', {
            reason: 'INSUFFICIENT_G1_CREDITS_BALANCE',
            domain: 'cloudcode-pa.googleapis.com',
          }),
        ],
      },
    },
  },
  'invalid image': {
    anthropic: {
      status: 400,
      message: 'messages.2.content.0.tool_result.content.0.image.source.base64: Could not process image',
      more: { type: 'invalid_request_error' },
    },
    openai: {
      status: 400,
      message:
        'The image data you provided does not represent a valid image. Please check your input and try again with one of the supported image formats: image/jpeg, image/png, image/gif, image/webp.',
      more: { type: 'invalid_request_error', param: 'input', code: 'invalid_value' },
    },
    gemini: {
      status: 400,
      message:
        'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
      more: { code: 400, status: 'INVALID_ARGUMENT' },
    },
  },
};

/** Clients that wait and try again are served after so many refusals: some would try for ever. */
export const REFUSALS = 3;

/** How the gateway says whose error it is, before the provider's own message. */
export const OUR_SENTENCE =
  /(?:OpenAI|Anthropic|Gemini) (?:rejected the request(?: because of its rate limit| \(\d{3}\))|failed \(\d{3}\)): /g;

export function errorReply(kind: ErrorKind, url: string): RawReply {
  const { status, message, more, headers = {} } = ERRORS[kind][interfaceOf(url)];
  const error = { ...more, message };
  const isAnthropic = interfaceOf(url) === 'anthropic';
  const body = JSON.stringify(isAnthropic ? { type: 'error', error, request_id: 'req_standin' } : { error });
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': 'req_standin', ...headers },
    body,
  };
}

const interfaceOf = (url: string): Interface =>
  url.includes('models/') ? 'gemini' : url.includes('/messages') ? 'anthropic' : 'openai';
