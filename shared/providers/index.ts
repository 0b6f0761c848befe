/**
 * Model providers as data: their addresses, the texts of their bodies, their error formats. Pure. Called by the cloud's
 * flows and the desktop's proxy. Never drops an unknown field, never changes its input, never decides anything.
 */

export { oneErrorFrame } from './block-replies.ts';
export { countTokens, countTokensIn, type TokenCounts } from './count-tokens.ts';
export { deviceReadingOf, type TextFacts } from './device-reading.ts';
export { AI_DOMAINS } from './domains.ts';
export { findEndpoint, type RequestAddress } from './find-endpoint.ts';
export {
  type ExtractedGuardRequest,
  hasCalls,
  readGuardRequest,
  readGuardRequestInSteps,
  redactedContext,
  redactedMessages,
} from './guard-request.ts';
export type { HookReply } from './hooks/hook-forms.ts';
export { type Hook, parseHookInput, readHook } from './hooks/read-hook.ts';
export { isStreamed } from './is-streamed.ts';
export {
  createMcpGuard,
  type McpContent,
  type McpContentRuling,
  type McpEvaluator,
  type McpGuard,
  type McpMessage,
  type McpOutcome,
} from './mcp/mcp-guard.ts';
export { guardLines, type McpLine, type McpLineGuard } from './mcp/mcp-lines.ts';
export {
  AWS_SIGNATURE,
  type CredentialRule,
  type Endpoint,
  type HeaderRule,
  type Provider,
} from './provider.ts';
export { readLeafTexts, readLeafTextsInSteps, readUnknownStream } from './read-unknown.ts';
export { type DecodedText, decodedTextIn, isMediaStart, textIn } from './reading/byte-text.ts';
export { areTextMarks, type FileBytes, type FileMark, fileMarksIn } from './reading/file-marks.ts';
export { childPointer } from './reading/path.ts';
export { signedKeys } from './reading/signed-blocks.ts';
export { isJsonObject } from './reading/text-collector.ts';
export {
  AI_HOSTS,
  API_ENDPOINTS,
  CREDENTIAL_HEADERS,
  endpointByName,
  formatByName,
  formatOf,
  ownerOfCredential,
  PROVIDERS,
  WORDS,
} from './registry.ts';
export {
  type Header,
  isHeaderText,
  isReportedHeader,
  joinedHeaders,
  maskedHeaders,
  type ReadHeader,
  readableHeaders,
} from './request-headers.ts';
export {
  AMAZON_STREAM,
  EVENT_STREAM,
  isEventStream,
  JSON_LINES,
  sseFrame,
} from './sse.ts';
export { beginsCall, readCallEdges } from './tool-calls/call-edges.ts';
export { isCodeTool, readCodeResults } from './tool-calls/code-tools.ts';
export {
  everyReading,
  READ_IN_TWO_WAYS,
  readInTwoWays,
  unapprovedReadings,
} from './tool-calls/differing-readings.ts';
export { readExactCalls } from './tool-calls/exact-calls.ts';
export { readToolCalls, readToolCallsInSteps } from './tool-calls/read-calls.ts';
export { readGuardCalls } from './tool-calls/read-guard-calls.ts';
export { type DefinedTool, readDefinedTools, readResultTools } from './tool-calls/read-request-tools.ts';
export { type CallReading, spellingOf, type ToolCall, toToolCall } from './tool-calls/tool-call.ts';
export type {
  Block,
  BlockReply,
  EncodedFile,
  ExtractedBody,
  FrameReader,
  FrameTexts,
  Growth,
  SignedBlock,
  StreamFailure,
  UnreadContent,
  UnreadPart,
  WireFormat,
} from './wire-format.ts';
export { countWritten } from './writing/count-written.ts';
export {
  isWritable,
  partsBetween,
  replacementsByPath,
  replacementsByPathInSteps,
  signedPaths,
  writeTexts,
  writeTextsInSteps,
} from './writing/write-texts.ts';
