/**
 * Provider bodies as data: read the texts, write them back, say no in that vendor's accent. Pure.
 * Called by the cloud's flows and the desktop's proxy. Never drops an unknown field, never changes its input,
 * never decides anything.
 */
export { isMediaStart, textIn } from './byte-text.ts';
export { type BodyDialect, findWebDialect, WEB_DIALECT_NAMES, type WebDialectName } from './chat-web.ts';
export { countWritten } from './count-written.ts';
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
export { type FileMark, fileMarkIn, TAIL_BYTES } from './file-marks.ts';
export { type GuardReading, hasCalls, readGuardRequest, redactedMessages } from './guard-request.ts';
export { readLeafTexts } from './read-leaf-texts.ts';
export { DIALECTS, type DialectAddress, dialectByName, findDialect } from './registry.ts';
export { blockFrame, EVENT_STREAM, isEventStream, sseFrame } from './sse.ts';
export { isWritable, replacementsByPath, writeTexts } from './write-texts.ts';
