import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/minimal.js';

/** A protobuf message: texts, numbers and messages by field number. */
export type Fields = readonly (readonly [field: number, value: string | number | Uint8Array | Fields])[];

export function protoMessage(fields: Fields): Uint8Array {
  const writer = protobuf.Writer.create();
  for (const [field, value] of fields) {
    if (typeof value === 'number') writer.uint32(field << 3).uint32(value);
    else if (typeof value === 'string') writer.uint32((field << 3) | 2).string(value);
    else if (value instanceof Uint8Array) writer.uint32((field << 3) | 2).bytes(value);
    else writer.uint32((field << 3) | 2).bytes(protoMessage(value));
  }
  return writer.finish();
}

/** An envelope by https://connectrpc.com/docs/protocol. */
export function envelope(message: Uint8Array | string, flags = 0): Buffer {
  const data = (flags & 1) === 0 ? Buffer.from(message) : gzipSync(message);
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(data.length, 1);
  return Buffer.concat([head, data]);
}

/** The last envelope of a Connect stream. */
export const END_OF_STREAM = envelope('{"metadata":{"x-request":["1"]}}', 2);
