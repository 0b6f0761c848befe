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

/** Regions with an address of their own. */
const VERTEX_REGIONS = [
  ...['us-central1', 'us-east1', 'us-east4', 'us-east5', 'us-south1', 'us-west1', 'us-west4'],
  ...['northamerica-northeast1', 'southamerica-east1', 'europe-central2', 'europe-north1'],
  ...['europe-southwest1', 'europe-west1', 'europe-west2', 'europe-west3', 'europe-west4', 'europe-west6'],
  ...['europe-west8', 'europe-west9', 'asia-east1', 'asia-east2', 'asia-northeast1', 'asia-northeast3'],
  ...['asia-south1', 'asia-southeast1', 'australia-southeast1', 'me-central1', 'me-central2', 'me-west1'],
];

export const vertex: Provider = {
  name: 'vertex',
  label: 'Vertex AI',
  // The address of the location `global`; the others have their own.
  baseUrl: 'https://aiplatform.googleapis.com',
  hosts: [
    'aiplatform.googleapis.com',
    ...VERTEX_REGIONS.map((region) => `${region}-aiplatform.googleapis.com`),
  ],
  endpoints: [
    predict('vertex-raw-predict', 'rawPredict', 'Create a message (Vertex AI)'),
    predict('vertex-stream-raw-predict', 'streamRawPredict', 'Create a message as a stream (Vertex AI)'),
  ],
  credential: { carrier: 'bearer', prefixes: ['ya29.'] },
  headers: { pass: ['anthropic-*', 'x-goog-user-project', 'x-goog-api-client'] },
};
