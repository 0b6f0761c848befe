import { done, finish, type Steps } from '../text/index.ts';
import { failureFrame, jsonRejection, oneErrorFrame } from './block-replies.ts';
import type { WebAppTable } from './provider.ts';
import { readRequest, readResponse, readThoughts } from './reading/read-body.ts';
import { createFrameReader } from './reading/read-frames.ts';
import { readListResponse, readStream } from './reading/read-stream.ts';
import { readWebApp } from './reading/read-web-app.ts';
import { requireShape } from './reading/require-shape.ts';
import type { Rules } from './reading/rules.ts';
import { readIds, readStoredContent, readStreamIds } from './reading/stored-content.ts';
import { AMAZON_STREAM, EVENT_STREAM, JSON_LINES } from './sse.ts';
import type { FormatTable } from './tables.ts';
import { readExactCalls } from './tool-calls/exact-calls.ts';
import { readStreamCalls } from './tool-calls/read-stream-calls.ts';
import type { ToolCall } from './tool-calls/tool-call.ts';
import type { ExtractedBody, Source, WireFormat } from './wire-format.ts';

const STREAM_TYPES = { events: EVENT_STREAM, lines: JSON_LINES, amazon: AMAZON_STREAM };

/** Creates a format from its table: all formats share the same reader. */
export function createFormat(
  { name, request, response, stream, errors }: FormatTable,
  rules: Rules,
): WireFormat {
  function* readWholeRequest(value: unknown, source?: Source): Steps<ExtractedBody> {
    const body = requireShape(value, request);
    const read = yield* readRequest(body, rules, source);
    const stored = readStoredContent(body, request.stored ?? []);
    return stored.length === 0 ? read : { ...read, unscanned: [...read.unscanned, ...stored] };
  }
  const readWholeResponse = (value: unknown, source?: Source): Steps<ExtractedBody> =>
    Array.isArray(value) ? readListResponse(value, rules, source) : readResponse(value, rules, source);
  return {
    name,
    streamType: STREAM_TYPES[stream.framing ?? 'events'],
    readRequest: (value, source) => finish(readWholeRequest(value, source)),
    readRequestInSteps: readWholeRequest,
    readResponse: (value, source) => finish(readWholeResponse(value, source)),
    *readResponseInSteps(value, source) {
      const read = yield* readWholeResponse(value, source);
      yield;
      return { ...read, calls: yield* readExactCalls(value, source, name) };
    },
    readThoughts: (value) => readThoughts(value, rules),
    readIds: (value) => readIds(value, response.ids ?? []),
    readCalls: (value, source) => finish(readExactCalls(value, source, name)),
    readFrames: () => (stream.framing === 'lines' ? null : createFrameReader(rules)),
    ...streamReading(rules, name),
    readStreamIds: (body) => readStreamIds(body, stream.ids),
    rejectionOf: errors.rejection,
    streamBlockOf: errors.streamBlock,
    streamErrorOf: errors.streamError ?? failureFrame,
    keepsErrorCode: errors.keepsCode ?? false,
  };
}

type StreamReading = Pick<WireFormat, 'readStream' | 'readStreamCalls' | 'readStreamInSteps'>;

function streamReading(rules: Rules, format?: string): StreamReading {
  const callsIn = (body: string): Steps<ToolCall[]> => readStreamCalls(body, rules.framing, format);
  return {
    readStream: (body) => finish(readStream(body, rules)),
    readStreamCalls: (body) => finish(callsIn(body)),
    *readStreamInSteps(body) {
      const read = yield* readStream(body, rules);
      return { ...read, calls: yield* callsIn(body) };
    },
  };
}

export function createWebAppFormat(app: WebAppTable, rules: Rules): WireFormat {
  return {
    name: app.name,
    isPage: true,
    streamType: EVENT_STREAM,
    readRequest: (value, source) => readWebApp(value, 'user', app, rules, source),
    readRequestInSteps: (value, source) => done(readWebApp(value, 'user', app, rules, source)),
    readResponse: (value, source) => readWebApp(value, 'assistant', app, rules, source),
    *readResponseInSteps(value, source) {
      const read = readWebApp(value, 'assistant', app, rules, source);
      return { ...read, calls: yield* readExactCalls(value, source) };
    },
    readThoughts: () => done([]),
    readIds: () => [],
    readCalls: (value, source) => finish(readExactCalls(value, source)),
    readFrames: () => (app.isReadByFrame === true ? createFrameReader(rules) : null),
    ...streamReading(rules),
    readStreamIds: () => readStreamIds(''),
    rejectionOf: (block) => jsonRejection(app.rejection(block)),
    streamBlockOf: (block) => oneErrorFrame(block),
    streamErrorOf: failureFrame,
    keepsErrorCode: false,
  };
}
