import { createMessage } from '../anthropic/provider.ts';
import type { Endpoint, Provider } from '../provider.ts';

/** Source: Vertex AI reference, Anthropic's models: their messages, with the model in the path. */

function predict(name: string, verb: string, summary: string): Endpoint {
  return {
    ...createMessage,
    name,
    path: `/v1/projects/{project_id}/locations/{location}/publishers/anthropic/models/{model}:${verb}`,
    isDefault: true,
    operationId: verb,
    summary,
    example: {
      anthropic_version: 'vertex-2023-10-16',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'What is the capital of France?' }],
    },
  };
}

export const vertex: Provider = {
  name: 'vertex',
  label: 'Vertex AI',
  // Of the location `global`; the others have addresses of their own.
  baseUrl: 'https://aiplatform.googleapis.com',
  hosts: [],
  endpoints: [
    predict('vertex-raw-predict', 'rawPredict', 'Create a message (Vertex AI)'),
    predict('vertex-stream-raw-predict', 'streamRawPredict', 'Create a message as a stream (Vertex AI)'),
  ],
  credential: { carrier: 'bearer', prefixes: ['ya29.'] },
  headers: { pass: ['anthropic-*', 'x-goog-user-project', 'x-goog-api-client'] },
};
