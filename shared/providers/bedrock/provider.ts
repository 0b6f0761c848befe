import { messagesBlocks } from '../anthropic/request.ts';
import { anthropicWords, messagesResponse, messagesStream } from '../anthropic/response.ts';
import { AWS_SIGNATURE, type Endpoint, type Provider } from '../provider.ts';
import type { FormatTable } from '../tables.ts';
import {
  converseBlocks,
  converseRequest,
  converseResponse,
  converseStream,
  converseWords,
  invokeRequest,
} from './bodies.ts';
import { bedrockErrors } from './errors.ts';

/** Sources: Amazon Bedrock Runtime reference, Signature Version 4 for requests. */

const converse: FormatTable = {
  name: 'bedrock-converse',
  request: converseRequest,
  response: converseResponse,
  blocks: converseBlocks,
  stream: converseStream,
  errors: bedrockErrors,
  words: converseWords,
};

const invoke: FormatTable = {
  name: 'bedrock-invoke',
  request: invokeRequest,
  response: messagesResponse,
  blocks: messagesBlocks,
  stream: { ...messagesStream, framing: 'amazon' },
  errors: bedrockErrors,
  words: anthropicWords,
};

function action(
  name: string,
  verb: string,
  more: Pick<Endpoint, 'format' | 'summary' | 'streams' | 'example' | 'operationId'>,
): Endpoint {
  return {
    name,
    method: 'POST',
    path: `/model/{model}/${verb}`,
    servedUnder: '/v1',
    operation: 'chat',
    isDefault: true,
    ...more,
  };
}

const CONVERSATION = { messages: [{ role: 'user', content: [{ text: 'What is the capital of France?' }] }] };
const BODY = {
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'What is the capital of France?' }],
};

/** Regions of the Bedrock Runtime. */
const BEDROCK_REGIONS = [
  ...['us-east-1', 'us-east-2', 'us-west-2', 'us-gov-east-1', 'us-gov-west-1', 'ca-central-1', 'sa-east-1'],
  ...['eu-central-1', 'eu-central-2', 'eu-north-1', 'eu-south-1', 'eu-south-2', 'eu-west-1', 'eu-west-2'],
  ...['eu-west-3', 'ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-south-1', 'ap-south-2'],
  ...['ap-southeast-1', 'ap-southeast-2'],
];

export const bedrock: Provider = {
  name: 'bedrock',
  label: 'Amazon Bedrock',
  // The region is the credential's.
  baseUrl: 'https://bedrock-runtime.{region}.amazonaws.com',
  hosts: BEDROCK_REGIONS.map((region) => `bedrock-runtime.${region}.amazonaws.com`),
  endpoints: [
    action('bedrock-converse', 'converse', {
      format: converse,
      streams: 'never',
      operationId: 'converse',
      summary: 'Converse (Amazon Bedrock)',
      example: CONVERSATION,
    }),
    action('bedrock-converse-stream', 'converse-stream', {
      format: converse,
      streams: 'always',
      operationId: 'converseStream',
      summary: 'Converse with a stream (Amazon Bedrock)',
      example: CONVERSATION,
    }),
    action('bedrock-invoke', 'invoke', {
      format: invoke,
      streams: 'never',
      operationId: 'invokeModel',
      summary: 'Invoke a model (Amazon Bedrock)',
      example: BODY,
    }),
    action('bedrock-invoke-stream', 'invoke-with-response-stream', {
      format: invoke,
      streams: 'always',
      operationId: 'invokeModelWithResponseStream',
      summary: 'Invoke a model with a stream (Amazon Bedrock)',
      example: BODY,
    }),
  ],
  // Its API keys, which are sent as a bearer, and access keys.
  credential: { carrier: AWS_SIGNATURE, prefixes: ['ABSK', 'AKIA', 'ASIA'] },
  headers: { pass: ['x-amzn-bedrock-*'], reply: ['x-amzn-*'], requestId: 'x-amzn-requestid' },
};
