import { CHAR_CLASS, DIGIT, LETTER } from './char-class.ts';

/** So far before a `+` the name is looked for that its value belongs to. */
const MAX_VALUE = 2_000;
const EQUALS = 61;
const BEFORE_NAME = /[?&;\s"'`]/;

/**
 * Says of a `+` whether it stands for a blank: in a value of a query or a form, `name=a+b`. Asked with ascending ones it
 * reads the text once, because two in one value are alike.
 */
export function queryBlanks(text: string): (at: number) => boolean {
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

/** Where the value around `at` begins; SAME where that is the value around `known`; undefined where there is none. */
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

/** True where a name stands before the sign, and before it what begins one. */
function isNamed(text: string, equals: number): boolean {
  let from = equals;
  while (from > 0 && isInName(text.charCodeAt(from - 1))) from--;
  return from < equals && (from === 0 || BEFORE_NAME.test(text[from - 1]!));
}

/** What a browser leaves as it is in a value, and the percent sign of what it encodes. */
function isInValue(code: number): boolean {
  return isAlnumCode(code) || (code < 128 && "%+-._*~!'()@:,/".includes(String.fromCharCode(code)));
}

function isInName(code: number): boolean {
  return isAlnumCode(code) || (code < 128 && '_-.[]%'.includes(String.fromCharCode(code)));
}

function isAlnumCode(code: number): boolean {
  return code < 128 && (CHAR_CLASS[code]! & (LETTER | DIGIT)) !== 0;
}
