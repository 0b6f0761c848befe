import { ALWAYS_FOLD, CARE, CLOSER, ZEROS } from './tables.ts';

/**
 * The maximum length of a code's replacement. Two longer phrases (U+FDFA of 18 characters, U+FDFB of 8) are read as
 * their first word.
 */
const MAX_GROWTH = 6;

/** The replacement of a code if it is one code; 0 if it is none or several. */
const FOLDED = new Uint16Array(65_536);
/** The replacements of the others. */
const FOLDED_LONG = new Map<number, string>();
for (let code = 0; code < 65_536; code++) {
  FOLDED[code] = code;
  if (CARE[code] !== CLOSER || isSurrogate(code)) continue;
  const folded = foldOf(code);
  FOLDED[code] = folded.length === 1 ? folded.charCodeAt(0) : 0;
  if (folded.length !== 1) FOLDED_LONG.set(code, folded);
}

/** Folds a code that is not a surrogate: returns the replacement, or 0 if `foldedLong` returns it. */
export function foldCode(code: number): number {
  return FOLDED[code]!;
}

/** Returns the replacement of a code that is none or several characters. */
export function foldedLong(code: number): string {
  return FOLDED_LONG.get(code) ?? '';
}

export function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function foldOf(code: number): string {
  // A combining mark is dropped; a precomposed letter is folded to the same letter later.
  if (isLooseMark(code)) return '';
  return digitOf(code) ?? ALWAYS_FOLD.get(code) ?? compatibleOf(String.fromCharCode(code));
}

function compatibleOf(character: string): string {
  const compatible = character.normalize('NFKC');
  return compatible.length > MAX_GROWTH ? `${compatible.split(' ')[0]} ` : compatible;
}

/** Returns the replacement of a character beyond the basic plane; empty if it stays unchanged. */
export function foldAstral(point: number): string {
  if (point >= 0x1f1e6 && point <= 0x1f1ff) return String.fromCharCode(point - 0x1f1e6 + 97);
  if (point >= 0x1f110 && point <= 0x1f129) return String.fromCharCode(point - 0x1f110 + 97);
  if (point >= 0x1f130 && point <= 0x1f189) return String.fromCharCode(((point - 0x1f130) % 32) + 97);
  if ((point >= 0x1d400 && point <= 0x1d7ff) || (point >= 0x1f100 && point <= 0x1f12f))
    return String.fromCodePoint(point).normalize('NFKC');
  return '';
}

/** Invisible characters that hide or turn text; those that join emoji or choose their form do not. */
export const INVISIBLE = new RegExp(
  '[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u202a-\\u202e' +
    '\\u2060-\\u206f\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\uffff\\udb40-\\udb43]',
);

/** True for invisible format characters beyond the basic plane: of music and of shorthand. */
export function isInvisibleAstral(point: number): boolean {
  return (point >= 0x1d173 && point <= 0x1d17a) || (point >= 0x1bca0 && point <= 0x1bca3);
}

/** True for combining marks on Latin, Greek and Cyrillic letters, and those stacked to hide a text. */
function isLooseMark(code: number): boolean {
  return (
    (code >= 0x300 && code <= 0x36f) ||
    (code >= 0x483 && code <= 0x489) ||
    (code >= 0x1ab0 && code <= 0x1aff) ||
    (code >= 0x1dc0 && code <= 0x1dff) ||
    (code >= 0x20d0 && code <= 0x20ff) ||
    (code >= 0xfe20 && code <= 0xfe2f)
  );
}

/** Converts digits of other scripts to ASCII. */
function digitOf(code: number): string | undefined {
  const zero = ZEROS.find((zero) => code >= zero && code <= zero + 9);
  return zero === undefined ? undefined : String.fromCharCode(48 + code - zero);
}
