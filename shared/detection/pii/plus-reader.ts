import { CHAR_CLASS, DIGIT, LETTER } from './char-class.ts';

/** How far before a `+` the name of its value is searched. */
const MAX_VALUE = 2_000;
const EQUALS = 61;
const BEFORE_NAME = /[?&;\s"'`]/;

/**
 * Returns a check whether a `+` encodes a space: in a value of a query or a form, `name=a+b`. With ascending offsets it
 * reads the text only once, because all `+` of a value have the same meaning.
 */
export function createPlusReader(text: string): (at: number) => boolean {
  let last = -1;
  let isBlank = false;
  return (at) => {
    const equals = equalsBefore(text, at, last);
    if (equals !== SAME) isBlank = equals !== undefined && isNamed(text, equals);
    last = at;
    return isBlank;
  };
}

const SAME = -1;

/**
 * Returns the equals sign before the value around `at`; SAME if `known` is in the same value; undefined if there is
 * none.
 */
function equalsBefore(text: string, at: number, known: number): number | undefined {
  const least = Math.max(0, at - MAX_VALUE);
  for (let from = at - 1; from >= least; from--) {
    if (from === known) return SAME;
    const code = text.charCodeAt(from);
    if (code === EQUALS) return from;
    if (!isInValue(code)) return undefined;
  }
  return undefined;
}

/** True if a name precedes the sign, and a delimiter precedes the name. */
function isNamed(text: string, equals: number): boolean {
  let from = equals;
  while (from > 0 && isInName(text.charCodeAt(from - 1))) from--;
  return from < equals && (from === 0 || BEFORE_NAME.test(text[from - 1]!));
}

/** True for characters that a browser does not encode in a value, and for the percent sign of those that it does. */
function isInValue(code: number): boolean {
  return isAlnumCode(code) || (code < 128 && "%+-._*~!'()@:,/".includes(String.fromCharCode(code)));
}

function isInName(code: number): boolean {
  return isAlnumCode(code) || (code < 128 && '_-.[]%'.includes(String.fromCharCode(code)));
}

function isAlnumCode(code: number): boolean {
  return code < 128 && (CHAR_CLASS[code]! & (LETTER | DIGIT)) !== 0;
}
