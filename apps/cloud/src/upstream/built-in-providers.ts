import type { ProviderRow } from './provider-row.ts';

/**
 * The vendors that are known without configuration. Sources: OpenAI API reference and Anthropic API reference
 * (authentication, versioning, rate-limit and request-id headers, OpenAI SDK compatibility).
 */
export const BUILT_IN_ROWS: readonly ProviderRow[] = [
  {
    name: 'anthropic',
    label: 'Anthropic',
    base_url: 'https://api.anthropic.com',
    dialects: ['anthropic-messages', 'anthropic-count-tokens', 'openai-chat', 'models'],
    default_for: ['anthropic-messages', 'anthropic-count-tokens'],
    credential: 'x-api-key',
    // Its OpenAI-compatible endpoint, and its OAuth tokens everywhere, are carried as a bearer.
    bearer_dialects: ['openai-chat'],
    bearer_prefixes: ['sk-ant-oat'],
    model_patterns: ['claude-*'],
    pass_headers: ['anthropic-*'],
    default_headers: { 'anthropic-version': '2023-06-01' },
    reply_headers: ['anthropic-*'],
    request_id_header: 'request-id',
  },
  {
    name: 'openai',
    label: 'OpenAI',
    base_url: 'https://api.openai.com',
    dialects: ['openai-chat', 'openai-responses', 'models'],
    default_for: ['openai-chat', 'openai-responses', 'models'],
    credential: 'bearer',
    pass_headers: ['openai-*', 'x-client-request-id'],
    reply_headers: ['openai-*'],
    request_id_header: 'x-request-id',
  },
];
