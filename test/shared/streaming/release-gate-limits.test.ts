import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HasFindings, ReleaseGate } from '../../../shared/streaming/release-gate.ts';

interface Trace {
  /** The state after each piece. */
  readonly released: readonly number[];
  readonly parts: readonly (readonly [part: string, isToken: boolean])[];
  readonly gate: ReleaseGate;
}

function trace(pieces: readonly string[], onlyKeys = false, finds: HasFindings = () => false): Trace {
  const parts: [string, boolean][] = [];
  const gate = new ReleaseGate((part, isToken) => {
    parts.push([part, isToken]);
    return finds(part, isToken);
  }, onlyKeys);
  return { released: pieces.map((piece) => gate.push(piece)), parts, gate };
}

/** Plain words of this many characters. */
const plain = (length: number) => 'word '.repeat(length / 5);

test('words are released once the next one is quiet, too', () => {
  const cases: readonly (readonly [pieces: readonly string[], released: readonly number[]])[] = [
    [
      ['alpha ', 'beta ', 'gamma '],
      [0, 6, 11],
    ],
    [
      ['alpha', 'beta'],
      [0, 0],
    ],
    [
      ['alpha beta, ', 'x'],
      [6, 6],
    ],
    // the next text may change its meaning
    [
      ['alpha beta; ', 'x'],
      [0, 6],
    ],
    [
      ['alpha beta;\t', 'x'],
      [0, 6],
    ],
    [
      ['alpha eval ', 'x'],
      [0, 0],
    ],
    [
      ['alpha beta x_1 ', 'gamma delta '],
      [6, 6],
    ],
  ];
  for (const [pieces, released] of cases)
    assert.deepEqual(trace(pieces).released, released, pieces.join('|'));
});

test('when only keys matter, a word is released at its end unless a key may begin in it', () => {
  const cases: readonly (readonly [pieces: readonly string[], released: readonly number[]])[] = [
    [
      ['alpha ', 'beta '],
      [5, 10],
    ],
    [
      ['alpha ', 'x_12 ', 'beta '],
      [5, 5, 15],
    ],
    [
      ['alpha ', 'x_12 -', ' beta '],
      [5, 10, 17],
    ],
    [
      ['alpha ', 'x_1 -'],
      [5, 5],
    ],
    [
      ['alpha ', 'abcdefghij1 ', 'beta ', 'gamma ', 'delta ', 'omega '],
      [5, 5, 5, 5, 34, 40],
    ],
  ];
  for (const [pieces, released] of cases)
    assert.deepEqual(trace(pieces, true).released, released, pieces.join('|'));
});

test('a part is read as soon as no later text can change it', () => {
  // ready 320 characters after the word, at 334
  const text = `alpha beta x_1 ${plain(315)}`;
  assert.deepEqual(trace([text, 'ab ']).parts, []);
  const read = trace([text, 'abc ']);
  assert.deepEqual(read.parts, [[`${text}abc `, false]]);
  assert.deepEqual(read.released, [6, 330]);
  const found = trace([text, 'abc ', plain(1000)], false, () => true);
  assert.deepEqual(found.released, [6, 6, 6]);
});

test('a part contains at least one stride of new text', () => {
  const first = `alpha beta x_1 ${plain(315)}abc x_22 ${plain(505)}`;
  assert.equal(trace([`${first.slice(0, 334)}`, first.slice(334), ' ']).parts.length, 1);
  const { parts } = trace([`${first.slice(0, 334)}`, first.slice(334), 'a ']);
  assert.equal(parts.length, 2);
  // 160 characters for each key when only keys matter
  const keys = (size: number) =>
    trace(['abcdefghij1 ', plain(20), 'abcdefghij2 ', plain(130), 'x'.repeat(size), ' a b'], true).parts
      .length;
  assert.equal(keys(10), 1);
  assert.equal(keys(20), 2);
});

test('reading begins at a word boundary far enough before the part', () => {
  const text = `${plain(2000)}x_1 ${plain(400)}`;
  // 2000 - 488 - 512, and the boundaries are 490 apart
  assert.deepEqual(trace([text]).parts, [[text.slice(980), false]]);
  const long = `${plain(9000)}x_1 ${plain(400)}`;
  const pieces = long.match(/.{1,90}/g)!;
  const { parts, released } = trace(pieces);
  assert.equal(parts.length, 1);
  assert.ok(long.includes(parts[0]![0]));
  assert.ok(parts[0]![0].indexOf('x_1') >= 1000 && parts[0]![0].indexOf('x_1') < 1000 + 490);
  assert.equal(released.at(-1), long.length - 5);
});

test('for keys only the text around them is read, and a URL does not count as a token', () => {
  const { parts } = trace([`${plain(100)}abcdefghij1 ${plain(20)}`], true);
  assert.deepEqual(parts, [[`${plain(100).slice(44)}abcdefghij1 ${plain(20)}`, true]]);
  const addressed = trace([`${plain(100)}a://b ${plain(20)}`], true);
  assert.deepEqual(
    addressed.parts.map(([, isToken]) => isToken),
    [false],
  );
  assert.deepEqual(
    trace([`${plain(5)}<b ${plain(1300)}`], true).parts.map(([part, isToken]) => [part.length, isToken]),
    [[1308, false]],
  );
});

test('nothing is released after a value that only the end of the text completes', () => {
  const stuck = (middle: string, onlyKeys = false) => {
    const { released } = trace(['alpha beta ', `${middle} `, plain(2000)], onlyKeys);
    return released[2]! < 100;
  };
  for (const middle of [
    'x'.repeat(1001),
    '-----BEGIN x',
    '%41',
    'x=\nfoo',
    '+1 '.repeat(31),
    'full entire complete exact',
    'a b c d e f g h i j k',
  ])
    assert.equal(stuck(middle), true, `${middle.slice(0, 20)} ${middle.length}`);
  for (const middle of [
    'x'.repeat(1000),
    '-----BEGI x',
    '%g',
    'x= foo',
    '+1 '.repeat(30),
    'full entire complete',
    'a b c d e f g h i j',
  ])
    assert.equal(stuck(middle), false, `${middle.slice(0, 20)} ${middle.length}`);
});

test('keywords of disclosures hold back the text before them', () => {
  const { parts } = trace([`${plain(100)}the system prompt ${plain(100)}`, plain(400)]);
  assert.equal(parts.length, 1);
  assert.ok(parts[0]![0].includes('system prompt'));
  const later = plain(4_000).match(/.{1,50}/g)!;
  const text = `${plain(100)}the system prompt ${plain(100)}`;
  assert.equal(trace([text, ...later]).parts.length, 1, 'each keyword is read once');
  const none = trace([`${plain(100)}the system prompts ${plain(100)}`, plain(400)], true);
  assert.deepEqual(none.parts, [], 'when only keys matter it has to begin with a disclosure');
  const mine = trace([`${plain(100)}my system prompt ${plain(100)}`, plain(400)], true);
  assert.equal(mine.parts.length, 1);
  assert.ok(mine.released[0]! < 100);
});

test('a complete sentence is released when another text continues', () => {
  const paused = (text: string, onlyKeys = true, finds?: HasFindings) => {
    const { gate } = trace([text], onlyKeys, finds);
    return gate.pause();
  };
  const cases: readonly (readonly [text: string, released: number])[] = [
    ['alpha beta.', 11],
    ['alpha beta. ', 12],
    ['alpha beta ', 11],
    ['alpha "beta!"', 13],
    ['alpha beta', 5],
    ['alpha be.', 5],
    ['alpha bet.', 10],
    ['alpha abcdefghi.', 16],
    ['alpha abcdefghij.', 5],
    ['alpha Akia.', 5],
    ['alpha ghp.', 5],
    ['alpha x_1 -beta.', 5],
    ['alpha my beta.', 6],
    ['alpha abcdefghij1 and beta.', 5],
  ];
  for (const [text, released] of cases) assert.equal(paused(text), released, text);
  assert.equal(paused('alpha beta.', false), 0);
  assert.equal(
    paused('alpha beta.', true, (part) => part.startsWith('alpha beta.x9')),
    5,
    'the word could belong to a key',
  );
});
