import type { Endpoint } from '../provider.ts';
import type { FormatTable, MemberRules, RequestTable } from '../tables.ts';
import { openaiErrors } from './errors.ts';
import { chatBlocks } from './request.ts';
import { chatResponse, chatStream, openaiWords } from './response.ts';

/** Sources: OpenAI API reference, legacy completions, embeddings, moderations and images: no conversations. */

const ABOUT: MemberRules = { user: { as: 'metadata' } };
const FROM_USER = { as: 'content', role: 'user' } as const;
const BY_MODEL = { as: 'messages', role: 'assistant' } as const;
const COMMON = { blocks: chatBlocks, stream: chatStream, errors: openaiErrors, words: openaiWords } as const;

function requestWith(conversation: string, members: MemberRules = {}): RequestTable {
  return {
    conversation,
    shape: 'list or text',
    members: { [conversation]: FROM_USER, ...members, ...ABOUT },
    roles: {},
  };
}

const completion: FormatTable = {
  ...COMMON,
  name: 'openai-completions',
  request: requestWith('prompt', { suffix: FROM_USER }),
  response: chatResponse,
};

const embeddings: FormatTable = {
  ...COMMON,
  name: 'openai-embeddings',
  request: requestWith('input'),
  response: { members: { data: BY_MODEL } },
  blocks: { ...chatBlocks, members: { ...chatBlocks.members, embedding: { as: 'figures' } } },
};

const moderation: FormatTable = {
  ...COMMON,
  name: 'openai-moderations',
  request: requestWith('input'),
  response: { members: { results: BY_MODEL } },
  blocks: { ...chatBlocks, members: { ...chatBlocks.members, category_scores: { as: 'figures' } } },
};

const image: FormatTable = {
  ...COMMON,
  name: 'openai-images',
  request: requestWith('prompt'),
  response: { members: { data: BY_MODEL } },
  blocks: { ...chatBlocks, members: { ...chatBlocks.members, b64_json: { as: 'picture' } } },
  stream: { frame: { ...chatStream.frame, b64_json: { as: 'picture' } } },
};

export const createCompletion: Endpoint = {
  name: 'openai-completions',
  method: 'POST',
  path: '/v1/completions',
  format: completion,
  operation: 'text_completion',
  operationId: 'createCompletion',
  summary: 'Create a completion (OpenAI, legacy)',
  example: { model: 'gpt-3.5-turbo-instruct', prompt: 'The capital of France is' },
};

export const createEmbedding: Endpoint = {
  name: 'openai-embeddings',
  method: 'POST',
  path: '/v1/embeddings',
  format: embeddings,
  operation: 'embeddings',
  streams: 'never',
  operationId: 'createEmbedding',
  summary: 'Create embeddings (OpenAI)',
  example: { model: 'text-embedding-3-small', input: 'What is the capital of France?' },
};

export const createModeration: Endpoint = {
  name: 'openai-moderations',
  method: 'POST',
  path: '/v1/moderations',
  format: moderation,
  operation: 'moderation',
  streams: 'never',
  operationId: 'createModeration',
  summary: 'Classify texts and pictures (OpenAI)',
  example: { model: 'omni-moderation-latest', input: 'What is the capital of France?' },
};

export const createImage: Endpoint = {
  name: 'openai-images',
  method: 'POST',
  path: '/v1/images/generations',
  format: image,
  operation: 'image_generation',
  operationId: 'createImage',
  summary: 'Create a picture (OpenAI)',
  example: { model: 'gpt-image-1', prompt: 'A lighthouse at dusk' },
};
