import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

/** The providers' own packages, configured for a gateway as docs/quick-start.md describes. */
export const PROVIDER_KEY = 'sk-provider-test';

export function openaiClient(address: string, key: string, prefix = '/api/v1'): OpenAI {
  return new OpenAI({
    baseURL: `${address}${prefix}`,
    apiKey: PROVIDER_KEY,
    defaultHeaders: { 'X-API-Key': key },
    maxRetries: 0,
  });
}

/** The Anthropic package adds `/v1` itself and sends `authToken` as the bearer. */
export function anthropicClient(address: string, key: string): Anthropic {
  return new Anthropic({
    baseURL: `${address}/api`,
    authToken: PROVIDER_KEY,
    defaultHeaders: { 'X-API-Key': key },
    maxRetries: 0,
  });
}
