import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readResponseKind } from '../../../apps/cloud/src/upstream/response-kind.ts';

const ROWS: [string | string[] | undefined, string, string][] = [
  ['application/json', '', 'json'],
  ['application/json; charset=utf-8', '', 'json'],
  ['Application/JSON;charset="UTF-8"', '', 'json'],
  ['application/problem+json', '', 'json'],
  ['application/json; charset=us-ascii', '', 'json'],
  ['text/event-stream', '', 'event-stream'],
  ['text/event-stream;charset=utf-8', '', 'event-stream'],
  ['text/html', '{"a":1}', 'other'],
  ['image/png', '', 'other'],
  ['application/json; charset=utf-7', '{}', 'bad_encoding'],
  ['application/json; charset=utf-16le', '{}', 'bad_encoding'],
  ['text/event-stream; charset=iso-8859-1', '', 'bad_encoding'],
  [['application/json', 'text/event-stream'], '{}', 'bad_encoding'],
  ['not a type', '{}', 'bad_encoding'],
  [undefined, '{"a":1}', 'json'],
  ['', '\r\n [1]', 'json'],
  ['text/plain', 'event: x\ndata: {}\n\n', 'event-stream'],
  ['text/plain; charset=utf-8', ': ping\n\n', 'event-stream'],
  ['application/octet-stream', 'retry: 10\n\n', 'event-stream'],
  ['text/plain', 'Bad gateway', 'other'],
  [undefined, '', 'other'],
  [undefined, '<html>', 'other'],
];

describe('readResponseKind', () => {
  for (const [type, body, kind] of ROWS) {
    it(`${JSON.stringify(type)} with ${JSON.stringify(body)} is ${kind}`, () => {
      assert.equal(readResponseKind(type, Buffer.from(body)), kind);
    });
  }
});
