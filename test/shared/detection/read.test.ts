import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CodeBuffer, isAscii } from '../../../shared/detection/read/codes.ts';
import { readText } from '../../../shared/detection/read/read-text.ts';
import { MAX_PIECE, TokenizedText } from '../../../shared/detection/read/tokenized-text.ts';
import { createRandom } from '../../support/random.ts';
import { textOf } from '../../support/text-of.ts';

const reading = new TokenizedText(MAX_PIECE);

function unitsOf(text: string): string[] {
  readText(textOf(text), 0, text.length, reading, true);
  return Array.from({ length: reading.units }, (_, unit) =>
    text.slice(reading.unitStart[unit], reading.unitEnd[unit]),
  );
}

test('units end at sentences, lines, cells, tags and quoted values', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['One two. Three four!', ['One two.', 'Three four!']],
    ['version 1.2 is out', ['version 1.2 is out']],
    ['first line\nsecond line', ['first line\n', 'second line']],
    ['a b | c d', ['a b |', 'c d']],
    ['{"key one":"value two"}', ['key one"', 'value two"']],
    ['これは。それは', ['これは。', 'それは']],
    ["don't stop; go on", ["don't stop;", 'go on']],
    ['', []],
    ['...', []],
  ];
  for (const [text, units] of cases) assert.deepEqual(unitsOf(text), units, JSON.stringify(text));
});

test('accents, case, apostrophes and punctuation do not change a word', () => {
  const hashOf = (text: string) => {
    readText(textOf(text), 0, text.length, reading, false);
    assert.equal(reading.words, 1, text);
    return reading.hash[0];
  };
  for (const [one, other] of [
    ['Résumé', 'resume'],
    ["DON'T", 'dont'],
    ['don’t', 'dont'],
    ['re\u0301sume\u0301', 'resume'],
    ['12345', '9'],
  ] as const)
    assert.equal(hashOf(one), hashOf(other), one);
  assert.notEqual(hashOf('resume'), hashOf('resumes'));
});

const BITS = [
  'word', 'Another', 'dont', "don't", 'don’t', 'é', 'e\u0301', '.', '!', '? ', '; ', ': ', '\n', '\r\n', '\t', '|',
  '<b>', '"', '",', "'", ')', ']', ' ', ' ', ' ', '  ', '123', '7', 'qx7z9', 'z', 'ひらがな', 'ไทย', 'слово', 'ß', 'İ',
  '\ud83d\ude00', '\ud800', '\u200b', '%', '/', '-', '_', 'x'.repeat(45), 'qwzx7'.repeat(9), '١٢', '…',
]; // biome-ignore format: a list of pieces

/** FNV-1a over the read text, apart from meanings, because the lexicon may grow. */
function fingerprint(text: string, from: number, to: number): number {
  readText(textOf(text), from, to, reading, true);
  const { words, units, longWords } = reading;
  let hash = 0x811c9dc5;
  const add = (value: number) => {
    hash = Math.imul(hash ^ value, 0x01000193);
  };
  for (const count of [
    words,
    units,
    reading.sentences,
    reading.numbers,
    reading.mixed,
    reading.single,
    longWords,
  ])
    add(count);
  for (let i = 0; i < words; i++)
    for (const list of [reading.hash, reading.unit, reading.start]) add(list[i]!);
  for (let i = 0; i < units; i++) for (const list of [reading.unitStart, reading.unitEnd]) add(list[i]!);
  for (let i = 0; i < longWords; i++) add(reading.longWordStart[i]!);
  return hash;
}

/** The weights were trained on exactly this reading, so a change of it invalidates them. */
test('reads the same words and units as when the weights were trained', () => {
  const random = createRandom(77);
  let all = 0;
  for (let n = 0; n < 400; n++) {
    const text = Array.from({ length: 1 + random.below(90) }, () => random.pick(BITS)).join('');
    const from = random.chance(0.5) ? 0 : random.below(text.length);
    all = Math.imul(all, 31) + fingerprint(text, from, text.length);
  }
  assert.equal(all >>> 0, 3_253_033_773);
});

function assertCodes(codes: Uint16Array, text: string): void {
  for (let i = 0; i < text.length; i++) assert.equal(codes[i], text.charCodeAt(i));
  for (let i = 0; i < 8; i++) assert.equal(codes[text.length + i], 0);
}

test('a buffer contains the last text written, and nothing between two texts', () => {
  const buffer = new CodeBuffer(16);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
      const { codes } = buffer.write(text);
      assertCodes(codes, text);
      assert.ok(buffer.clear(text.length));
      assert.ok(codes.every((code) => code === 0));
    }),
    { seed: 6, numRuns: 100 },
  );
  const long = 'ab\u4e00'.repeat(200_000);
  assert.equal(buffer.write(long).codes[long.length - 1], 0x4e00);
  assert.ok(!buffer.clear(long.length), 'a buffer for such a long text is not retained');
});

test('distinguishes ASCII from everything else', () => {
  for (const text of ['', 'abc', '\x00\x7f', 'a'.repeat(100_000)]) assert.ok(isAscii(text));
  for (const text of ['é', '\x80', `${'a'.repeat(5_000)}\ud800`, '字'])
    assert.ok(!isAscii(text), text.slice(-3));
});

test('a piece of the maximum size fits, whatever it contains', () => {
  for (const unit of ['a ', 'a', '. ', 'a. ', '字', '1 ', 'a|', 'x?']) {
    const text = unit.repeat(MAX_PIECE).slice(0, MAX_PIECE);
    readText(textOf(text), 0, MAX_PIECE, reading, true);
    assert.ok(reading.words <= MAX_PIECE && reading.units <= reading.words, unit);
  }
});
