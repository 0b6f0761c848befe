import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatByName } from '@csg/shared/providers';

const format = formatByName('openai-chat');
const frame = (one: string, other: string): string =>
  `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(one)},"content":${JSON.stringify(other)}}}]}\n\n`;
const STREAM = frame('The number is 536-', 'All is ') + frame('90-4399.', 'well.');

test('texts of every one of repeated members are read, and joined as each client joins them', () => {
  const texts = format.readStream(STREAM).slots.map(({ text }) => text);
  for (const text of ['The number is 536-90-4399.', 'All is well.', '90-4399.'])
    assert.ok(texts.includes(text), `${text} of ${texts.join(' | ')}`);
  const plain = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';
  assert.equal(format.readStream(plain).slots.filter(({ text }) => text === 'Hi').length, 1);
});

test('a stream with repeated members waits for the whole response', () => {
  const reader = format.readFrames()!;
  const plain = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';
  assert.equal(reader.read(plain).isMore, false);
  assert.equal(reader.read(frame('a', 'b')).isMore, true);
});

test('calls are assembled from the first and from the last of repeated members', () => {
  const call = (name: string) => `{"name":"${name}","arguments":"{}"}`;
  const body = `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":${call('bash')},"function":${call('note')}}]}}]}\n\n`;
  const [one] = format.readStreamCalls(body);
  assert.deepEqual([one?.name, one?.others.map(({ name }) => name)], ['note', ['bash']]);
});
