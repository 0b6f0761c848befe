import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@csg/shared/text';
import { findStreamError } from '../../../apps/cloud/src/upstream/stream-error.ts';
import { ANSWER_FORMS } from '../../support/provider/answers.ts';

const fault = (text: string): string | null => finish(findStreamError(Buffer.from(text)));
const says = {
  text: 'Grüße\n\ndata: 🌍',
  reasoning: 'r',
  toolCalls: [{ name: 'f', arguments: '{"a":[1]}' }],
};

describe('findStreamError', () => {
  for (const [name, form] of Object.entries(ANSWER_FORMS)) {
    const whole = form.frames(says).join('');

    it(`finds nothing in a whole stream (${name}), with any line ending`, () => {
      assert.equal(fault(whole), null);
      assert.equal(fault(whole.replaceAll('\n', '\r\n')), null);
      assert.equal(fault(whole.trimEnd()), null, 'without the last blank line');
    });

    it(`finds every cut inside a frame (${name})`, () => {
      const bytes = Buffer.from(whole);
      let cuts = 0;
      for (let end = 1; end < bytes.length; end++) {
        const kept = bytes.subarray(0, end).toString('latin1');
        // Cut between frames, or where the rest of a frame is blank, nothing that a client reads is missing.
        if (/(^|[\]}\n])\s*$/.test(kept)) continue;
        cuts++;
        assert.notEqual(
          finish(findStreamError(bytes.subarray(0, end))),
          null,
          `cut after ${JSON.stringify(kept.slice(-40))}`,
        );
      }
      assert.ok(cuts > 500);
    });
  }

  const ROWS: [string, string | null][] = [
    ['data: {"a":1}\n\n', null],
    ['data:{"a":1}\n\n', null],
    ['data: {"a":\ndata: 1}\n\n', null],
    [': hello\n\ndata: [DONE]\n\n', null],
    ['data: {"a":1}\n\ndata: [DONE]', null],
    ['data: {"a":1}\n\ndata: [DONE]\n', null],
    ['data:\n\ndata: {"a":1}\n\n', null],
    ['id: 1\nretry: 5\nevent: x\ndata: {"a":1}\n\n', null],
    ['data: {"a":1}\n\n: the end', null],
    ['', 'malformed_stream'],
    ['\n\n', 'malformed_stream'],
    [': only comments\n\n', 'malformed_stream'],
    ['<html>\n</html>\n', 'malformed_stream'],
    ['{"error":"x"}\n', 'malformed_stream'],
    ['data: hello\n\n', 'malformed_stream'],
    ['data: {not json\n\n', 'malformed_stream'],
    ['data: {"a":1\n\ndata: {"b":2}\n\n', 'malformed_stream'],
    ['data: {"a":1}\n\ndata: {"b"', 'truncated'],
    ['data: {"a":1}\n\nevent: message_st', 'truncated'],
    ['data: {"a":1}\n\ndat', 'truncated'],
  ];
  for (const [text, due] of ROWS) {
    it(`${JSON.stringify(text)} -> ${due}`, () => assert.equal(fault(text), due));
  }
});
