import { chatCompletions, listModels, readModel } from '../openai/provider.ts';
import type { Endpoint, Provider } from '../provider.ts';
import type { FormatTable } from '../tables.ts';
import { anthropicErrors } from './errors.ts';
import { messagesBlocks, messagesRequest } from './request.ts';
import { anthropicWords, messagesResponse, messagesStream } from './response.ts';

/** Sources: Anthropic API reference (authentication, versioning, rate-limit and request-id headers, OpenAI SDK compatibility). */

const messages: FormatTable = {
  name: 'anthropic-messages',
  request: messagesRequest,
  response: messagesResponse,
  blocks: messagesBlocks,
  stream: messagesStream,
  errors: anthropicErrors,
  words: anthropicWords,
};

export const createMessage: Endpoint = {
  name: 'anthropic-messages',
  method: 'POST',
  path: '/v1/messages',
  format: messages,
  operation: 'chat',
  operationId: 'createMessage',
  summary: 'Create a message (Anthropic)',
  example: {
    model: 'claude-haiku-5-5',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'What is the capital of France?' }],
  },
};

/** A whole messages request that generates nothing. */
const countTokens: Endpoint = {
  name: 'anthropic-count-tokens',
  method: 'POST',
  path: '/v1/messages/count_tokens',
  format: messages,
  operation: 'count_tokens',
  streams: 'never',
  operationId: 'countTokens',
  summary: 'Count the tokens of a message (Anthropic)',
  example: { model: 'claude-haiku-5-5', messages: [{ role: 'user', content: 'How long is this?' }] },
};

export const anthropic: Provider = {
  name: 'anthropic',
  label: 'Anthropic',
  baseUrl: 'https://api.anthropic.com',
  hosts: ['api.anthropic.com'],
  opened: ['api.anthropic.com', 'console.anthropic.com'],
  endpoints: [
    { ...createMessage, isDefault: true },
    { ...countTokens, isDefault: true },
    { ...chatCompletions, isBearer: true },
    { ...listModels, format: messages },
    { ...readModel, format: messages },
  ],
  credential: { carrier: 'x-api-key', bearerPrefixes: ['sk-ant-oat'], prefixes: ['sk-ant-'] },
  models: ['claude-*'],
  headers: {
    // The last two name the program of a coding agent and its session.
    pass: ['anthropic-*', 'x-app', 'x-claude-code-*'],
    defaults: { 'anthropic-version': '2023-06-01' },
    reply: ['anthropic-*'],
    requestId: 'request-id',
    implies: 'anthropic-version',
  },
};
