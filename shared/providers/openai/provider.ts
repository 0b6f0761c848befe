import type { Endpoint, Provider } from '../provider.ts';
import type { FormatTable } from '../tables.ts';
import { openaiErrors, responsesErrors } from './errors.ts';
import { chatBlocks, chatRequest, responsesBlocks, responsesRequest } from './request.ts';
import { chatResponse, chatStream, openaiWords, responsesResponse, responsesStream } from './response.ts';
import { createCompletion, createEmbedding, createImage, createModeration } from './single-calls.ts';

/** Sources: OpenAI API reference (authentication, rate-limit and request-id headers, chat completions, responses). */

const chat: FormatTable = {
  name: 'openai-chat',
  request: chatRequest,
  response: chatResponse,
  blocks: chatBlocks,
  stream: chatStream,
  errors: openaiErrors,
  words: openaiWords,
};

const responses: FormatTable = {
  name: 'openai-responses',
  request: responsesRequest,
  response: responsesResponse,
  blocks: responsesBlocks,
  stream: responsesStream,
  errors: responsesErrors,
  words: openaiWords,
};

/** The interface of OpenAI and of many compatible providers. */
export const chatCompletions: Endpoint = {
  name: 'openai-chat',
  method: 'POST',
  path: '/v1/chat/completions',
  format: chat,
  operation: 'chat',
  operationId: 'createChatCompletion',
  summary: 'Create a chat completion (OpenAI)',
  example: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'What is the capital of France?' }] },
};

export const createResponse: Endpoint = {
  name: 'openai-responses',
  method: 'POST',
  path: '/v1/responses',
  format: responses,
  operation: 'chat',
  operationId: 'createResponse',
  summary: 'Create a response (OpenAI)',
  example: { model: 'gpt-4o-mini', instructions: 'Be brief.', input: 'What is the capital of France?' },
};

export const listModels: Endpoint = {
  name: 'models',
  method: 'GET',
  path: '/v1/models',
  isBodiless: true,
  format: chat,
  operation: 'list_models',
  operationId: 'listModels',
  summary: 'List models',
};

export const readModel: Endpoint = {
  ...listModels,
  name: 'model',
  path: '/v1/models/{model}',
  operationId: 'readModel',
  summary: 'Read a model',
};

/** A whole responses request that generates nothing. */
const countInputTokens: Endpoint = {
  name: 'openai-input-tokens',
  method: 'POST',
  path: '/v1/responses/input_tokens',
  format: responses,
  operation: 'count_tokens',
  streams: 'never',
  operationId: 'countInputTokens',
  summary: 'Count the tokens of a response (OpenAI)',
  example: { model: 'gpt-4o-mini', input: 'How long is this?' },
};

/** Returns the conversation in fewer tokens: messages, and an item that only the provider can read. */
export const compactResponse: Endpoint = {
  name: 'openai-compact',
  method: 'POST',
  path: '/v1/responses/compact',
  format: responses,
  operation: 'chat',
  streams: 'never',
  operationId: 'compactResponse',
  summary: 'Compact a conversation (OpenAI)',
  example: { model: 'gpt-4o-mini', input: 'What is the capital of France?' },
};

const readResponse: Endpoint = {
  name: 'openai-response',
  method: 'GET',
  path: '/v1/responses/{response_id}',
  isBodiless: true,
  format: responses,
  operation: 'retrieve',
  operationId: 'readResponse',
  summary: 'Read a stored response (OpenAI)',
};

const deleteResponse: Endpoint = {
  ...readResponse,
  name: 'openai-response-delete',
  method: 'DELETE',
  operationId: 'deleteResponse',
  summary: 'Delete a stored response (OpenAI)',
};

const cancelResponse: Endpoint = {
  ...readResponse,
  name: 'openai-response-cancel',
  method: 'POST',
  path: '/v1/responses/{response_id}/cancel',
  operationId: 'cancelResponse',
  summary: 'Cancel a response in the background (OpenAI)',
};

export const storedResponses = [readResponse, deleteResponse, cancelResponse];

export const openaiEndpoints: readonly Endpoint[] = [
  chatCompletions,
  createResponse,
  createCompletion,
  createEmbedding,
  createModeration,
  createImage,
  countInputTokens,
  compactResponse,
  ...storedResponses,
  listModels,
  readModel,
];

const HOSTS = ['api.openai.com', '*.api.openai.com'];

export const openai: Provider = {
  name: 'openai',
  label: 'OpenAI',
  baseUrl: 'https://api.openai.com',
  hosts: HOSTS,
  opened: [...HOSTS, 'platform.openai.com'],
  endpoints: openaiEndpoints.map((endpoint) => ({ ...endpoint, isDefault: true })),
  credential: { carrier: 'bearer', prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-'] },
  headers: {
    // Coding agents name program, session and turn in the others; the provider keeps a session's cache by them.
    pass: [
      ...[
        'openai-*',
        'x-client-request-id',
        'originator',
        'version',
        'session-id',
        'session_id',
        'thread-id',
      ],
      ...['conversation_id', 'x-codex-*', 'x-session-id', 'x-session-affinity'],
    ],
    reply: ['openai-*'],
    requestId: 'x-request-id',
  },
};
