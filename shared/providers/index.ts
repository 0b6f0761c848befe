/**
 * Provider bodies as data: read the texts, write them back, say no in that vendor's accent. Pure.
 * Called by the cloud's flows and the desktop's proxy. Never drops an unknown field, never changes its input,
 * never decides anything.
 */

export { type BodyDialect, findWebDialect, WEB_DIALECT_NAMES, type WebDialectName } from './chat-web.ts';
export {
  type Block,
  type BlockReply,
  type BodyReading,
  DIALECT_NAMES,
  type Dialect,
  type DialectName,
  type EncodedFile,
  type UnreadContent,
  type UnreadPart,
} from './dialect.ts';
export { type GuardReading, hasCalls, readGuardRequest, redactedMessages } from './guard-request.ts';
export { isMediaStart, textIn } from './reading/byte-text.ts';
export { type FileMark, fileMarkIn, TAIL_BYTES } from './reading/file-marks.ts';
export { readLeafTexts } from './reading/read-leaf-texts.ts';
export { DIALECTS, type DialectAddress, dialectByName, findDialect } from './registry.ts';
export { blockFrame, EVENT_STREAM, isEventStream, sseFrame } from './sse.ts';
export { countWritten } from './writing/count-written.ts';
export { isWritable, replacementsByPath, writeTexts } from './writing/write-texts.ts';
