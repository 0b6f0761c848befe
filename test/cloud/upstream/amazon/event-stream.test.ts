import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@csg/shared/text';
import {
  amazonFraming,
  decodeEventStream,
  encodeException,
  findEventStreamError,
} from '../../../../apps/cloud/src/upstream/amazon/event-stream.ts';
import { amazonMessage, readAmazonMessages } from '../../../support/amazon-stream.ts';

const delta = amazonMessage(
  'contentBlockDelta',
  '{"contentBlockIndex":0,"delta":{"text":"9007199254740993"}}',
);
const lines = (...messages: Buffer[]) =>
  finish(decodeEventStream(Buffer.concat(messages)))
    .trimEnd()
    .split('\n');

describe('event streams of Amazon', () => {
  it('become one JSON object per line, as they are written, with the type of their event', () => {
    assert.deepEqual(lines(delta, amazonMessage('messageStop', '{}'), amazonMessage('x', '')), [
      '{"type":"contentBlockDelta","contentBlockIndex":0,"delta":{"text":"9007199254740993"}}',
      '{"type":"messageStop"}',
      '{"type":"x"}',
    ]);
    assert.deepEqual(lines(amazonMessage('y', '{\r\n"n": 9007199254740993}'), amazonMessage('z', '[1]')), [
      '{"type":"y", "n": 9007199254740993}',
      '{"type":"z","payload":"[1]"}',
    ]);
  });

  it('keep every one of repeated members, as readings of one frame', () => {
    const base64 = (json: string) => Buffer.from(json).toString('base64');
    const twice = `{"bytes":"${base64('{"a":1}')}","bytes":"${base64('{"a":2}')}","x":1,"x":2}`;
    assert.deepEqual(lines(amazonMessage('chunk', twice)), [
      '{"a":1,"a":2}',
      '{"type":"chunk","x":2,"repeated":[{"x":1},{"x":2}]}',
    ]);
    const mixed = `{"bytes":"${base64('text')}","bytes":"${base64('{"a":2}')}"}`;
    assert.deepEqual(lines(amazonMessage('chunk', mixed)).slice(0, 2), ['text', '{"a":2}']);
  });

  it('are read without their padding, unless it could be text', () => {
    const padded = (p: string, more = '') =>
      lines(amazonMessage('contentBlockDelta', `{"delta":{"text":"Hi"}${more},"p":"${p}"}`));
    const plain = ['{"type":"contentBlockDelta","delta":{"text":"Hi"}}'];
    for (const p of ['', 'abcd', 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'])
      assert.deepEqual(padded(p), plain);
    for (const p of ['abd', 'AKIA', 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789a'])
      assert.match(padded(p)[0]!, new RegExp(`"p":"${p}"\\}$`));
    assert.match(padded('ab', ',"p":"AKIA"')[0]!, /"p":"AKIA"\}$/);
    const chunk = (p: string) => lines(amazonMessage('chunk', JSON.stringify({ bytes: 'e30=', p })));
    assert.deepEqual(chunk('abcd'), ['{}']);
    assert.deepEqual(chunk('AKIA'), ['{}', '{"type":"chunk","p":"AKIA"}']);
  });

  it('are found wherever chunks end, and rewritten with the same headers', () => {
    const bytes = Buffer.concat([delta, amazonMessage('messageStop', '{}')]);
    for (let length = 0; length <= bytes.length; length++) {
      const end = length < delta.length ? -1 : delta.length;
      assert.equal(amazonFraming.endOfFrame(bytes.subarray(0, length), 0, 0), end);
    }
    assert.equal(amazonFraming.endOfFrame(Buffer.alloc(20), 0, 0), 16);
    assert.equal(amazonFraming.read(Buffer.alloc(16)), null);
    const inner = (text: string) => JSON.stringify({ type: 'x', text });
    const chunk = amazonMessage(
      'chunk',
      JSON.stringify({ bytes: Buffer.from(inner('Å')).toString('base64'), p: 'abc' }),
    );
    for (const [message, from, to] of [
      [delta, '9007199254740993', 'Å “quoted”'],
      [chunk, 'Å', 'Paris'],
    ] as const) {
      const source = amazonFraming.sourceOf(message);
      const written = amazonFraming.rewrite(message, source.replace(from, to));
      assert.equal(amazonFraming.sourceOf(written), source.replace(from, to));
      assert.equal(finish(findEventStreamError(written)), null);
      assert.deepEqual(readAmazonMessages(written)[0]!.headers, readAmazonMessages(message)[0]!.headers);
      assert.ok(amazonFraming.rewrite(message, source).equals(message));
    }
  });

  it('return chunks as the JSON in their bytes, with any other fields', () => {
    const bytes = Buffer.from('{"type":"message_stop"}').toString('base64');
    assert.deepEqual(lines(amazonMessage('chunk', JSON.stringify({ bytes, p: 'abc' }))), [
      '{"type":"message_stop"}',
    ]);
    assert.deepEqual(lines(amazonMessage('chunk', JSON.stringify({ bytes, note: 'a word' }))), [
      '{"type":"message_stop"}',
      '{"type":"chunk","note":"a word"}',
    ]);
    for (const payload of ['[', '{"bytes":"//79"}'])
      assert.throws(() => finish(decodeEventStream(amazonMessage('chunk', payload))), payload);
  });

  it('return what clients show of an exception', () => {
    assert.deepEqual(lines(amazonMessage('throttlingException', '{"message":"Too many"}', 'exception')), [
      '{"type":"exception","headers":{":exception-type":"throttlingException"},"message":"Too many"}',
    ]);
  });

  it('end with an exception that clients read', () => {
    const [message] = readAmazonMessages(encodeException('validationException', '{"message":"é"}'));
    assert.deepEqual(message, {
      headers: {
        ':message-type': 'exception',
        ':exception-type': 'validationException',
        ':content-type': 'application/json',
      },
      payload: '{"message":"é"}',
    });
  });

  it('are distinguished from broken ones at every byte', () => {
    const whole = Buffer.concat([delta, delta]);
    assert.equal(finish(findEventStreamError(whole)), null);
    assert.equal(finish(findEventStreamError(Buffer.alloc(0))), 'malformed_stream');
    for (let cut = 1; cut < whole.length; cut++) {
      if (cut === delta.length) continue;
      assert.equal(finish(findEventStreamError(whole.subarray(0, cut))), 'truncated', `cut at ${cut}`);
    }
    for (let at = 0; at < delta.length; at++) {
      const changed = Buffer.from(delta);
      changed[at]! ^= 1;
      assert.notEqual(finish(findEventStreamError(changed)), null, `changed at ${at}`);
    }
    assert.equal(
      finish(findEventStreamError(Buffer.from('data: {"text":"no event stream"}\n\n'))),
      'truncated',
    );
    assert.equal(finish(findEventStreamError(Buffer.alloc(40))), 'malformed_stream');
  });
});
