import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  foldAstral,
  foldCode,
  foldedLong,
  isInvisibleAstral,
  isSurrogate,
} from '../../../../shared/detection/normalize/fold-code.ts';
import { foldLookAlikes, foldWords, scriptOf } from '../../../../shared/detection/normalize/fold-words.ts';

test('letters beyond the basic plane are folded to the letters they show', () => {
  const cases: readonly (readonly [point: number, text: string])[] = [
    [0x1f1e5, ''],
    [0x1f1e6, 'a'],
    [0x1f1ff, 'z'],
    [0x1f200, ''],
    [0x1f110, 'a'],
    [0x1f129, 'z'],
    [0x1f130, 'a'],
    [0x1f149, 'z'],
    [0x1f150, 'a'],
    [0x1f169, 'z'],
    [0x1f170, 'a'],
    [0x1f189, 'z'],
    [0x1f18a, ''],
    [0x1d3ff, ''],
    [0x1d400, 'A'],
    [0x1d7ff, '9'],
    [0x1d800, ''],
    [0x1f0ff, ''],
    [0x1f100, '0.'],
    [0x1f12b, 'C'],
    [0x1f600, ''],
  ];
  for (const [point, text] of cases) assert.equal(foldAstral(point), text, point.toString(16));
  for (const point of [0x1d173, 0x1d17a, 0x1bca0, 0x1bca3]) assert.ok(isInvisibleAstral(point));
  for (const point of [0x1d172, 0x1d17b, 0x1bc9f, 0x1bca4]) assert.ok(!isInvisibleAstral(point));
  for (const code of [0xd800, 0xdbff, 0xdc00, 0xdfff]) assert.ok(isSurrogate(code));
  for (const code of [0xd7ff, 0xe000]) assert.ok(!isSurrogate(code));
});

test('a code is folded to what it looks like, a lone combining mark to nothing', () => {
  const folded = (sign: string) => {
    const code = foldCode(sign.charCodeAt(0));
    return code === 0 ? foldedLong(sign.charCodeAt(0)) : String.fromCharCode(code);
  };
  const cases: readonly (readonly [sign: string, folded: string])[] = [
    ['a', 'a'],
    ['Ａ', 'A'],
    ['ﬁ', 'fi'],
    ['\u0660', '0'],
    ['\u0669', '9'],
    ['\ufdfa', 'صلى '],
    ...[
      '\u0300',
      '\u036f',
      '\u0483',
      '\u0489',
      '\u1ab0',
      '\u1dc0',
      '\u1dff',
      '\u20d0',
      '\ufe20',
      '\ufe2f',
    ].map((mark) => [mark, ''] as const),
  ];
  for (const [sign, expected] of cases) assert.equal(folded(sign), expected, JSON.stringify(sign));
});

test('classifies a letter as Latin, Greek or Cyrillic, or another script', () => {
  const cases: readonly (readonly [signs: string, script: number])[] = [
    ['azAZ\u00c0\u024f', 2],
    ['\u0370\u0430\u058f', 1],
    ['@[`{09 \u007f\u00bf\u0250\u036f\u0590\u4e00', 0],
  ];
  for (const [signs, script] of cases)
    for (const sign of signs) assert.equal(scriptOf(sign.charCodeAt(0)), script, JSON.stringify(sign));
});

test('look-alikes become Latin only in words that mix scripts', () => {
  const cases: readonly (readonly [text: string, folded: string, words: number])[] = [
    ['plain words', 'plain words', 0],
    ['іgnоrе аll', 'ignore all', 2],
    ['слово', 'слово', 0],
    ['say ignоrе', 'say ignore', 1],
    ['ignоrе it', 'ignore it', 1],
    ['5мкm', '5mkm', 1],
    ['жaba', 'жaba', 0],
    ['аbc-дом', 'abc-дом', 1],
    ['a б', 'a б', 0],
    ['', '', 0],
  ];
  for (const [text, folded, words] of cases) assert.deepEqual(foldWords(text), { text: folded, words }, text);
  assert.equal(foldLookAlikes('орa ж'), 'opa ж');
});
