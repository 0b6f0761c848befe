import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFrameReader, framingOf, messagesOf } from '../../../apps/desktop/src/exchange/framed-body.ts';
import { END_OF_STREAM, envelope } from '../../support/desktop/connect-frames.ts';

const CONNECT = { isFramed: true, codec: 'proto', packing: 'gzip' } as const;
const MAX = 10_000;
const texts = (messages: ReturnType<typeof messagesOf>) =>
  messages?.map(({ codec, bytes }) => `${codec} ${Buffer.from(bytes)}`);

test('recognizes the content types of protobuf, Connect and gRPC, with their compression', () => {
  const of = (type: string, more: object = {}) => framingOf({ 'content-type': type, ...more });
  assert.deepEqual(of('application/proto'), { isFramed: false, codec: 'proto', packing: '' });
  assert.deepEqual(of('Application/Connect+Proto; x=1', { 'connect-content-encoding': 'GZIP' }), CONNECT);
  assert.deepEqual(of('application/connect+json'), { isFramed: true, codec: 'json', packing: '' });
  assert.deepEqual(of('application/grpc-web+proto', { 'grpc-encoding': 'gzip' }), CONNECT);
  assert.equal(of('application/grpc')?.codec, 'proto');
  for (const other of ['application/json', 'text/event-stream', 'application/grpc-web-text', ''])
    assert.equal(of(other), null, other);
});

test('finds the messages of a stream wherever its bytes are split', () => {
  const stream = Buffer.concat([envelope('one'), envelope('two, packed', 1), envelope(''), END_OF_STREAM]);
  const expected = ['proto one', 'proto two, packed', 'proto ', 'text {"metadata":{"x-request":["1"]}}'];
  assert.deepEqual(texts(messagesOf(CONNECT, stream, MAX)), expected);
  for (let size = 1; size <= stream.length; size++) {
    const read = createFrameReader(CONNECT, MAX);
    const found: string[] = [];
    for (let at = 0; at < stream.length; at += size)
      found.push(...(texts(read(stream.subarray(at, at + size))) ?? ['null']));
    assert.deepEqual(found, expected, `${size} bytes at a time`);
  }
});

test('returns null for what it cannot read completely', () => {
  assert.equal(messagesOf(CONNECT, envelope('x').subarray(0, 5), MAX), null, 'cut off');
  assert.equal(messagesOf(CONNECT, Buffer.concat([envelope('x'), Buffer.from('rest')]), MAX), null);
  assert.equal(messagesOf({ ...CONNECT, packing: 'snappy' }, envelope('x', 1), MAX), null);
  assert.equal(messagesOf(CONNECT, envelope('x'.repeat(MAX + 1), 1), MAX), null, 'larger once decompressed');
  const read = createFrameReader(CONNECT, MAX);
  assert.equal(read(Buffer.from([0, 255, 255, 255, 255])), null, 'a length of 4 GB');
  assert.equal(read(envelope('x')), null, 'what follows has no known beginning');
});
