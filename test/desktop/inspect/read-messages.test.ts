import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageTexts } from '../../../apps/desktop/src/inspect/read-messages.ts';
import { protoMessage } from '../../support/desktop/connect-frames.ts';

const utf8 = new TextEncoder();

test('reads protobuf by field, JSON by member, and the end of a stream as text', () => {
  const proto = messageTexts({ codec: 'proto', bytes: protoMessage([[3, 'a prompt of a person']]) });
  assert.deepEqual(proto?.texts, [{ path: '/3', text: 'a prompt of a person' }]);
  const json = messageTexts({ codec: 'json', bytes: utf8.encode('{"prompt":"a prompt"}') });
  assert.deepEqual(
    json?.texts.map(({ text }) => text).filter((text) => text !== 'prompt'),
    ['a prompt'],
  );
  const end = messageTexts({ codec: 'text', bytes: utf8.encode('{"error":{"message":"no"}}') });
  assert.equal(end?.texts[0]?.text, '{"error":{"message":"no"}}');
});

test('invalid JSON is read as text, invalid protobuf is not read', () => {
  const odd = messageTexts({ codec: 'json', bytes: utf8.encode('{"a":1,"a":"twice"') });
  assert.equal(odd?.texts[0]?.text, '{"a":1,"a":"twice"');
  assert.equal(messageTexts({ codec: 'proto', bytes: new Uint8Array([0x0a, 0x7f, 1]) }), null);
});

test('JSON and text leave nothing unread', () => {
  for (const [codec, source] of [
    ['json', '{"prompt":"a prompt"}'],
    ['json', '{"prompt"'],
    ['json', ''],
    ['text', 'the end'],
  ] as const)
    assert.equal(messageTexts({ codec, bytes: utf8.encode(source) })?.hasBytes, false, source);
  assert.deepEqual(messageTexts({ codec: 'json', bytes: new Uint8Array() })?.texts, []);
});
