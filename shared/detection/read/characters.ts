/** The class of a UTF-16 code for the reader. */
export const BLANK = 0;
export const WORD = 1;
const DIGIT = 2;
/** Letters of scripts that are written without spaces. */
export const NO_BLANKS = 3;
/** Ends a sentence, at least before a space. */
export const STOP = 4;
export const LINE_END = 5;
/** Everything else. */
const MARK = 6;
/** Separates unrelated pieces of a text: cells, tags, fields. */
export const BORDER = 7;
/** Combines with the letter before it and is skipped. */
export const SILENT = 8;
/** An apostrophe: a mark within a word. Only in CODE_CLASS. */
export const APOSTROPHE = 9;

export const CHAR_CLASS = new Uint8Array(65_536).fill(WORD);
const rangeOf = (table: Uint8Array) => (value: number, from: number, to: number) =>
  table.fill(value, from, to + 1);
const range = rangeOf(CHAR_CLASS);
range(BLANK, 0, 0x20);
range(MARK, 0x21, 0x2f);
range(DIGIT, 0x30, 0x39);
range(MARK, 0x3a, 0x40);
range(MARK, 0x5b, 0x60);
range(MARK, 0x7b, 0xbf);
CHAR_CLASS[0xaa] = WORD;
CHAR_CLASS[0xb5] = WORD;
CHAR_CLASS[0xba] = WORD;
CHAR_CLASS[0xa0] = BLANK;
CHAR_CLASS[0xd7] = MARK;
CHAR_CLASS[0xf7] = MARK;
range(SILENT, 0x300, 0x36f);
range(SILENT, 0x591, 0x5c7);
range(MARK, 0x600, 0x61f);
range(SILENT, 0x64b, 0x65f);
CHAR_CLASS[0x640] = SILENT;
CHAR_CLASS[0x670] = SILENT;
range(NO_BLANKS, 0xe00, 0xeff);
range(NO_BLANKS, 0x1000, 0x109f);
range(NO_BLANKS, 0x1780, 0x17ff);
range(MARK, 0x2000, 0x2bff);
range(BLANK, 0x2000, 0x200a);
range(MARK, 0x3000, 0x303f);
CHAR_CLASS[0x3000] = BLANK;
range(NO_BLANKS, 0x3040, 0x30ff);
range(NO_BLANKS, 0x3400, 0x9fff);
range(MARK, 0xd800, 0xf8ff);
range(NO_BLANKS, 0xf900, 0xfaff);
range(MARK, 0xfe00, 0xfe6f);
range(MARK, 0xff00, 0xffff);
for (const stop of '.!?。！？؟۔।॥…;') CHAR_CLASS[stop.charCodeAt(0)] = STOP;
for (const border of '|<>\t') CHAR_CLASS[border.charCodeAt(0)] = BORDER;
for (const lineEnd of '\n\r\v\f\u2028\u2029') CHAR_CLASS[lineEnd.charCodeAt(0)] = LINE_END;

/** Lower case, no accents, one spelling of Arabic letters: code -> code. */
export const FOLD = new Uint16Array(65_536);
for (let code = 0; code < 65_536; code++) FOLD[code] = code;
const foldRangeOf = (table: Uint16Array) => (from: number, to: number) => {
  for (let code = from; code <= to; code++) {
    const folded = String.fromCharCode(code).toLowerCase().normalize('NFD').charCodeAt(0);
    table[code] = folded;
  }
};
const foldRange = foldRangeOf(FOLD);
foldRange(0x41, 0x5a);
foldRange(0xc0, 0x24f);
foldRange(0x370, 0x52f);
foldRange(0x531, 0x586);
foldRange(0x1e00, 0x1fff);
const also: Readonly<Record<string, string>> = {
  ß: 's',
  ł: 'l',
  Ł: 'l',
  ø: 'o',
  Ø: 'o',
  đ: 'd',
  Đ: 'd',
  ı: 'i',
  æ: 'a',
  œ: 'o',
  ħ: 'h',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ؤ: 'و',
  ئ: 'ي',
  ک: 'ك',
  ی: 'ي',
  ς: 'σ',
};
for (const [from, to] of Object.entries(also)) FOLD[from.charCodeAt(0)] = to.charCodeAt(0);

/** Set in CODE_CLASS for letters. */
const LETTER_BIT = 0x10000;
/**
 * Both tables in one lookup: above 0 a code that can be part of a word, folded, with one more bit for letters; below 0
 * any other code, as the complement of its class.
 */
export const CODE_CLASS = new Int32Array(65_536);
for (let code = 0; code < 65_536; code++) {
  const kind = CHAR_CLASS[code]!;
  if (kind === WORD) CODE_CLASS[code] = FOLD[code]! | LETTER_BIT;
  else CODE_CLASS[code] = kind === DIGIT ? FOLD[code]! : ~kind;
}
for (const apostrophe of "'\u2019") CODE_CLASS[apostrophe.charCodeAt(0)] = ~APOSTROPHE;
/** Values of CODE_CLASS below this can be inside a word. */
export const BELOW_ENDS = ~BORDER;

export function isArabic(code: number): boolean {
  return code >= 0x620 && code <= 0x6ff;
}
