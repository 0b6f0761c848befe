import { ALWAYS_FOLD, CARE, CLOSER, NOUGHTS } from './tables.ts';

/** No text grows by more than this: the two phrases that are longer (U+FDFA of 18, U+FDFB of 8) are read as their first word. */
const MAX_GROWTH = 6;

/** What a code becomes, where that is one code; 0 where it is none or several. */
const FOLDED = new Uint16Array(65_536);
/** What the others become. */
const FOLDED_LONG = new Map<number, string>();
for (let code = 0; code < 65_536; code++) {
  FOLDED[code] = code;
  if (CARE[code] !== CLOSER || isSurrogate(code)) continue;
  const folded = foldOf(code);
  FOLDED[code] = folded.length === 1 ? folded.charCodeAt(0) : 0;
  if (folded.length !== 1) FOLDED_LONG.set(code, folded);
}

/** A code that is no surrogate in the spelling that is read: the code, or 0 where `foldedLong` knows more. */
export function foldCode(code: number): number {
  return FOLDED[code]!;
}

/** None or several characters that stand for a code. */
export function foldedLong(code: number): string {
  return FOLDED_LONG.get(code) ?? '';
}

export function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function foldOf(code: number): string {
  // a mark on the letter before: it goes; a letter that exists with it in one piece folds the same way later
  if (isLooseMark(code)) return '';
  return digitOf(code) ?? ALWAYS_FOLD.get(code) ?? compatibleOf(String.fromCharCode(code));
}

function compatibleOf(character: string): string {
  const compatible = character.normalize('NFKC');
  return compatible.length > MAX_GROWTH ? `${compatible.split(' ')[0]} ` : compatible;
}

/** What a character beyond the basic plane stands for; empty where it stays as it is. */
export function foldAstral(point: number): string {
  if (point >= 0x1f1e6 && point <= 0x1f1ff) return String.fromCharCode(point - 0x1f1e6 + 97);
  if (point >= 0x1f110 && point <= 0x1f129) return String.fromCharCode(point - 0x1f110 + 97);
  if (point >= 0x1f130 && point <= 0x1f189) return String.fromCharCode(((point - 0x1f130) % 32) + 97);
  if ((point >= 0x1d400 && point <= 0x1d7ff) || (point >= 0x1f100 && point <= 0x1f12f))
    return String.fromCodePoint(point).normalize('NFKC');
  return '';
}

/** Format characters beyond the basic plane that nothing shows: of music and of shorthand. */
export function isInvisibleAstral(point: number): boolean {
  return (point >= 0x1d173 && point <= 0x1d17a) || (point >= 0x1bca0 && point <= 0x1bca3);
}

/** Marks on Latin, Greek and Cyrillic letters, and those piled up to hide a text. */
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

/** Digits of other scripts as ASCII ones. */
function digitOf(code: number): string | undefined {
  const zero = NOUGHTS.find((zero) => code >= zero && code <= zero + 9);
  return zero === undefined ? undefined : String.fromCharCode(48 + code - zero);
}
