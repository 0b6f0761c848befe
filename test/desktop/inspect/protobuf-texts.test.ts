import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { protobufTexts } from '../../../apps/desktop/src/inspect/protobuf-texts.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { type Fields, protoMessage } from '../../support/desktop/connect-frames.ts';

const textsOf = (fields: Fields) => protobufTexts(protoMessage(fields))?.texts.map(({ text }) => text);

test('finds texts at any depth by their field, next to numbers, ids and empty fields', () => {
  const message = protoMessage([
    [1, 'hello world'],
    [2, 7],
    [
      3,
      [
        [1, 1],
        [2, [[5, 'deep inside, ünï']]],
      ],
    ],
    [4, new Uint8Array([255, 254, 0, 1])],
    [5, ''],
  ]);
  const read = protobufTexts(message);
  assert.deepEqual(
    read?.texts.filter(({ text }) => text.length > 6),
    [
      { path: '/1', text: 'hello world' },
      { path: '/3/2/5', text: 'deep inside, ünï' },
    ],
  );
  assert.equal(read.hasBytes, false, 'short bytes are ids');
});

test('bytes that are not text are reported, and invalid messages are not read', () => {
  const bytes = new Uint8Array(100).fill(0xff);
  assert.equal(
    protobufTexts(
      protoMessage([
        [1, 'a text'],
        [2, bytes],
      ]),
    )?.hasBytes,
    true,
  );
  assert.equal(protobufTexts(new Uint8Array([0x0a, 0x05, 0x61])), null, 'cut off');
  assert.equal(protobufTexts(new Uint8Array([0x00, 0x01])), null, 'there is no field 0');
});

test('reads every text of any message', () => {
  const leaf = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme-ascii' });
  const { fields } = fc.letrec<{ fields: Fields }>((tie) => ({
    fields: fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: 5_000 }),
        fc.oneof({ depthSize: 'small' }, leaf, fc.nat(), tie('fields')),
      ),
      { minLength: 1, maxLength: 5 },
    ) as fc.Arbitrary<Fields>,
  }));
  const leaves = (of: Fields): string[] =>
    of.flatMap(([, value]) =>
      typeof value === 'string' ? [value] : Array.isArray(value) ? leaves(value as Fields) : [],
    );
  fc.assert(
    fc.property(fields, (of) => {
      const found = textsOf(of)?.join('\n') ?? '';
      for (const text of leaves(of)) assert.ok(found.includes(text), JSON.stringify(text));
    }),
    { seed: 24, numRuns: 500 },
  );
});

test('a deeply nested message costs no more than a few times its size', () => {
  // Every length, and so every level, is valid UTF-8: each could be a text too. Any other fails at its first bytes.
  const text = 'x'.repeat((10 << 14) + 0x50);
  const flat = protoMessage([[1, text]]);
  let fields: Fields = [[1, text]];
  for (let i = 0; i < 60; i++)
    fields = [
      [1, fields],
      [4, 'p'.repeat(122)],
    ];
  const nested = protoMessage(fields);
  /** Of many, because one takes less than the clock resolves. */
  const costMs = (bytes: Uint8Array): number =>
    cpuMs(() => {
      for (let n = 0; n < 20; n++) protobufTexts(bytes);
    });
  // Reading each level again would take twenty times as long.
  const [flatMs, nestedMs] = [costMs(flat), costMs(nested)];
  assert.ok(nestedMs < 7 * flatMs, `${nestedMs} ms, flat ${flatMs} ms`);
  const deep = protobufTexts(nested);
  assert.ok(
    deep === null || deep.hasBytes || deep.texts.some(({ text }) => text.includes('xxx')),
    'never silently',
  );
});

test('a text beyond a depth limit is not read, and that is reported', () => {
  const around = (depth: number): Fields => {
    let fields: Fields = [[1, 'deep inside, '.repeat(20)]];
    for (let i = 0; i < depth; i++) fields = [[1, fields]];
    return [
      [1, 'beside it '.repeat(1_000)],
      [2, fields],
    ];
  };
  for (const [depth, isRead] of [
    [23, true],
    [24, false],
  ] as const) {
    const read = protobufTexts(protoMessage(around(depth)));
    assert.equal(
      read?.texts.some(({ text }) => text.startsWith('deep inside')),
      isRead,
      String(depth),
    );
    assert.equal(read?.hasBytes, !isRead, String(depth));
  }
});

test('bytes up to the length of a digest are ids; a control character makes bytes not text', () => {
  for (const [bytes, hasBytes] of [
    [new Uint8Array(64).fill(0xff), false],
    [new Uint8Array(65).fill(0xff), true],
    [new TextEncoder().encode(`${'x'.repeat(100)}\u0007`), true],
    [new TextEncoder().encode(`${'x'.repeat(100)}\t\r\n`), false],
  ] as const)
    assert.equal(protobufTexts(protoMessage([[1, bytes]]))?.hasBytes, hasBytes);
});
