import {
  chatCompletions,
  compactResponse,
  createResponse,
  listModels,
  openaiEndpoints,
  storedResponses,
} from '../openai/provider.ts';
import { createCompletion, createEmbedding, createImage } from '../openai/single-calls.ts';
import type { Endpoint, Provider } from '../provider.ts';

/** Source: Azure OpenAI reference. It serves OpenAI's interface under three styles of paths. */

const DEPLOYED = [chatCompletions, createCompletion, createEmbedding, createImage];
const UNVERSIONED = [createResponse, compactResponse, ...storedResponses, listModels];

function at(style: 'Deployment' | 'Resource' | 'V1', path: string) {
  return (endpoint: Endpoint): Endpoint => ({
    ...endpoint,
    name: `azure-${style.toLowerCase()}-${endpoint.name}`,
    path: `/openai${path}${endpoint.path.slice('/v1'.length)}`,
    isDefault: true,
    operationId: `${endpoint.operationId}OfAzure${style === 'V1' ? '' : style}`,
    summary: `${endpoint.summary?.replace(/ \(OpenAI.*\)$/, '')} (Azure OpenAI, ${style.toLowerCase()})`,
  });
}

export const azure: Provider = {
  name: 'azure',
  label: 'Azure OpenAI',
  // Each customer has its own address.
  baseUrl: null,
  hosts: ['*.openai.azure.com', '*.services.ai.azure.com', '*.cognitiveservices.azure.com'],
  endpoints: [
    ...DEPLOYED.map(at('Deployment', '/deployments/{deployment}')),
    ...openaiEndpoints.map(at('V1', '/v1')),
    ...UNVERSIONED.map(at('Resource', '')),
  ],
  // Tokens of Entra ID are JSON Web Tokens, which start with `eyJ`.
  credential: { carrier: 'api-key', bearerPrefixes: ['eyJ'] },
  headers: {
    pass: ['openai-*', 'x-ms-client-request-id'],
    reply: ['openai-*', 'apim-request-id', 'x-ms-region', 'x-ms-client-request-id'],
  },
};
