import { failureFrame, jsonRejection, oneErrorFrame } from './block-replies.ts';
import type { WebAppTable } from './provider.ts';
import { readRequest, readResponse } from './reading/read-body.ts';
import { createFrameReader } from './reading/read-frames.ts';
import { readListResponse, readStream } from './reading/read-stream.ts';
import { readWebApp } from './reading/read-web-app.ts';
import { requireShape } from './reading/require-shape.ts';
import type { Rules } from './reading/rules.ts';
import { AMAZON_STREAM, EVENT_STREAM, JSON_LINES } from './sse.ts';
import type { FormatTable } from './tables.ts';
import { readExactCalls } from './tool-calls/exact-calls.ts';
import { readStreamCalls } from './tool-calls/read-stream-calls.ts';
import type { WireFormat } from './wire-format.ts';

const STREAM_TYPES = { events: EVENT_STREAM, lines: JSON_LINES, amazon: AMAZON_STREAM };

/** Creates a format from its table: all formats share the same reader. */
export function createFormat({ name, request, stream, errors }: FormatTable, rules: Rules): WireFormat {
  return {
    name,
    streamType: STREAM_TYPES[stream.framing ?? 'events'],
    readRequest: (value, source) => readRequest(requireShape(value, request), rules, source),
    readResponse: (value, source) =>
      Array.isArray(value) ? readListResponse(value, rules, source) : readResponse(value, rules, source),
    readCalls: (value, source) => readExactCalls(value, source, name),
    readFrames: () => (stream.framing === 'lines' ? null : createFrameReader(rules)),
    readStream: (body) => readStream(body, rules),
    readStreamCalls: (body) => readStreamCalls(body, rules.framing, name),
    rejectionOf: errors.rejection,
    streamBlockOf: errors.streamBlock,
    streamErrorOf: errors.streamError ?? failureFrame,
  };
}

export function createWebAppFormat(app: WebAppTable, rules: Rules): WireFormat {
  return {
    name: app.name,
    isPage: true,
    streamType: EVENT_STREAM,
    readRequest: (value, source) => readWebApp(value, 'user', app, rules, source),
    readResponse: (value, source) => readWebApp(value, 'assistant', app, rules, source),
    readCalls: (value, source) => readExactCalls(value, source),
    readFrames: () => (app.isReadByFrame === true ? createFrameReader(rules) : null),
    readStream: (body) => readStream(body, rules),
    readStreamCalls: (body) => readStreamCalls(body, rules.framing),
    rejectionOf: (block) => jsonRejection(app.rejection(block)),
    streamBlockOf: (block) => oneErrorFrame(block),
    streamErrorOf: failureFrame,
  };
}
