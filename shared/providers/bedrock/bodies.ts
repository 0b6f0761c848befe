import { messagesRequest } from '../anthropic/request.ts';
import type { BlockTable, RequestTable, ResponseTable, StreamTable } from '../tables.ts';

/** Source: Amazon Bedrock Runtime reference (Converse, ConverseStream, InvokeModel). */

const IDENTIFIER = { as: 'identifier' } as const;
const LABEL = { as: 'label' } as const;
const LEAVES = { as: 'leaves', role: 'other' } as const;
const DEVELOPER = { as: 'content', role: 'system' } as const;
const DEFINITIONS = { as: 'leaves', role: 'tool_definition' } as const;
const CALL = { as: 'content', role: 'tool_call' } as const;
const RESULT = { as: 'content', role: 'tool_result' } as const;
const SIGNATURE = { as: 'sealed', signs: true } as const;
const FROM_USER = { as: 'leaves', role: 'user' } as const;

export const converseRequest: RequestTable = {
  conversation: 'messages',
  shape: 'list, text or nothing',
  members: {
    messages: { as: 'messages', role: 'user' },
    system: DEVELOPER,
    toolConfig: DEFINITIONS,
    outputConfig: DEFINITIONS,
    promptVariables: FROM_USER,
    requestMetadata: { as: 'metadata' },
    additionalModelRequestFields: { as: 'leaves', role: 'other' },
  },
  roles: { user: 'user', assistant: 'assistant' },
};

export const converseBlocks: BlockTable = {
  members: {
    toolUse: CALL,
    input: { role: 'tool_call' },
    toolResult: RESULT,
    json: { role: 'tool_result' },
    image: { as: 'media' },
    video: { as: 'media' },
    audio: { as: 'media' },
    document: { as: 'file', role: 'document' },
    searchResult: { as: 'content', role: 'document' },
    citationsContent: { as: 'content', role: 'document' },
    toolUseId: IDENTIFIER,
    reasoningContent: { as: 'content', isThought: true },
    reasoningText: { as: 'content' },
    signature: SIGNATURE,
    redactedContent: SIGNATURE,
    cachePoint: LABEL,
  },
  types: {},
};

export const converseResponse: ResponseTable = {
  members: {
    output: { as: 'content', role: 'assistant' },
    stopReason: LABEL,
    usage: LEAVES,
    metrics: LEAVES,
  },
};

/** The messages of an event stream, each as an object whose `type` is that of the event. */
export const converseStream: StreamTable = {
  framing: 'amazon',
  frame: { type: LABEL, role: LABEL, usage: LEAVES, metrics: LEAVES, stopReason: LABEL },
  events: {
    contentBlockStart: { start: { goesOn: 'content/{contentBlockIndex}' } },
    contentBlockDelta: { delta: { goesOn: 'content/{contentBlockIndex}' } },
  },
  ends: ['contentBlockStop', 'contentBlockIndex'],
};

/** Bodies of every model: for most the messages of Anthropic, else a text under one of the names below. */
export const invokeRequest: RequestTable = {
  ...messagesRequest,
  shape: 'list, text or nothing',
  members: {
    ...messagesRequest.members,
    prompt: FROM_USER,
    inputText: FROM_USER,
    texts: FROM_USER,
    toolConfig: DEFINITIONS,
  },
};

export const converseWords = {
  names: `
    contentBlockIndex contentBlockStart contentBlockDelta contentBlockStop messageStart messageStop metadata start delta
    toolUse toolUseId toolResult toolSpec inputSchema toolChoice toolConfig inferenceConfig maxTokens topP stopSequences
    additionalModelRequestFields additionalModelResponseFields additionalModelResponseFieldPaths guardrailConfig
    guardrailIdentifier guardrailVersion trace streamProcessingMode promptVariables performanceConfig latency
    requestMetadata serviceTier outputConfig guardContent qualifiers reasoningContent reasoningText redactedContent
    cachePoint format source bytes s3Location uri bucketOwner stopReason latencyMs inputTokens outputTokens totalTokens
    cacheReadInputTokens cacheWriteInputTokens cacheDetails invokedModelId promptRouter citationsContent searchResult
    documentChar documentPage documentChunk sourceContent strict
    inputText texts textGenerationConfig maxTokenCount generation generation_token_count prompt_token_count
    anthropic_version anthropic_beta max_gen_len inputTextTokenCount results outputText completionReason tokenCount
    amazon-bedrock-invocationMetrics inputTokenCount outputTokenCount invocationLatency firstByteLatency
    amazon-bedrock-guardrailAction amazon-bedrock-trace
  `,
  values: `
    user assistant tool_use end_turn stop_sequence max_tokens guardrail_intervened content_filtered standard optimized
    enabled disabled enabled_full sync async default success error png jpeg gif webp pdf csv doc docx xls xlsx html txt md
    messageStart contentBlockStart contentBlockDelta contentBlockStop messageStop metadata
    grounding_source query guard_content bedrock-2023-05-31 FINISH LENGTH NONE INTERVENED
  `,
};
