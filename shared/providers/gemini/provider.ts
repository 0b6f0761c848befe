import { chatCompletions, listModels, readModel } from '../openai/provider.ts';
import type { Endpoint, Provider } from '../provider.ts';
import type { FormatTable } from '../tables.ts';
import {
  geminiWords,
  generateBlocks,
  generateRequest,
  generateResponse,
  generateStream,
  measureRequest,
} from './bodies.ts';
import { geminiErrors } from './errors.ts';

/** Sources: Gemini API reference (models, authentication, OpenAI compatibility). */

const generate: FormatTable = {
  name: 'gemini-generate',
  request: generateRequest,
  response: generateResponse,
  blocks: generateBlocks,
  stream: generateStream,
  errors: geminiErrors,
  words: geminiWords,
};

const measure: FormatTable = { ...generate, name: 'gemini-measure', request: measureRequest };

/** Both are in use; the client's version is passed on. */
const VERSIONS = ['v1beta', 'v1'];
const EXAMPLE = { contents: [{ role: 'user', parts: [{ text: 'What is the capital of France?' }] }] };

function action(
  name: string,
  verb: string,
  more: Pick<Endpoint, 'format' | 'operation'> & Partial<Endpoint>,
): Endpoint {
  return {
    name,
    method: 'POST',
    path: `/{version}/models/{model}:${verb}`,
    versions: VERSIONS,
    isDefault: true,
    operationId: verb === 'countTokens' ? 'countContentTokens' : verb,
    example: EXAMPLE,
    streams: 'never',
    ...more,
  };
}

const lookup: Pick<Endpoint, 'format' | 'isDefault'> = { format: generate, isDefault: true };

export const gemini: Provider = {
  name: 'gemini',
  label: 'Gemini',
  baseUrl: 'https://generativelanguage.googleapis.com',
  hosts: ['generativelanguage.googleapis.com'],
  // The last host belongs to Gemini Code Assist and Gemini CLI, which wrap the same bodies.
  opened: ['generativelanguage.googleapis.com', 'aistudio.google.com', 'cloudcode-pa.googleapis.com'],
  endpoints: [
    action('gemini-generate', 'generateContent', {
      format: generate,
      operation: 'generate_content',
      summary: 'Generate content (Gemini)',
    }),
    action('gemini-stream', 'streamGenerateContent', {
      format: generate,
      operation: 'generate_content',
      streams: { query: 'alt', value: 'sse' },
      summary: 'Generate content as a stream (Gemini)',
    }),
    action('gemini-count-tokens', 'countTokens', {
      format: measure,
      operation: 'count_tokens',
      summary: 'Count the tokens of contents (Gemini)',
    }),
    action('gemini-embed', 'embedContent', {
      format: measure,
      operation: 'embeddings',
      summary: 'Create an embedding (Gemini)',
      example: { content: { parts: [{ text: 'What is the capital of France?' }] } },
    }),
    action('gemini-embed-batch', 'batchEmbedContents', {
      format: measure,
      operation: 'embeddings',
      summary: 'Create embeddings (Gemini)',
      example: { requests: [{ content: { parts: [{ text: 'What is the capital of France?' }] } }] },
    }),
    {
      ...listModels,
      ...lookup,
      name: 'gemini-models',
      operationId: 'listGeminiModels',
      summary: 'List models (Gemini)',
      path: '/v1beta/models',
    },
    {
      ...readModel,
      ...lookup,
      name: 'gemini-model',
      operationId: 'readGeminiModel',
      summary: 'Read a model (Gemini)',
      path: '/v1beta/models/{model}',
    },
    { ...listModels, format: generate },
    { ...readModel, format: generate },
    { ...chatCompletions, path: '/v1beta/openai/chat/completions', isBearer: true },
  ],
  credential: { carrier: 'x-goog-api-key', bearerPrefixes: ['ya29.'], prefixes: ['AIzaSy'] },
  models: ['gemini-*', 'gemma-*'],
  headers: { pass: ['x-goog-api-client', 'x-goog-user-project'], implies: 'x-goog-api-key' },
};
