import { CARE, DROP, PLAIN } from '../normalize/tables.ts';
import { matchAt, matchesAt } from '../read/match-at.ts';
import { isWordish } from './char-class.ts';
import { createPlusReader } from './plus-reader.ts';

/** One character that is encoded as several, at `[start, end)` of the text. */
export interface Escape {
  readonly start: number;
  readonly end: number;
  readonly plain: string;
}

const PERCENT = '%(?:25)*';
const REST = `${PERCENT}[89ab][0-9a-f]`;
/**
 * The full form of each escape by its first sign. Multiple encoding (`%2540`, `&amp;#64;`, `\\\\u0040`) is one escape,
 * too.
 */
const FORMS: Readonly<Record<string, RegExp>> = {
  '%': new RegExp(
    `${PERCENT}(?:[2-7][0-9a-f]|0[9ad]|(?:c[2-9a-f]|d[0-9a-f])${REST}|e[0-9a-f](?:${REST}){2})`,
    'iy',
  ),
  '&': /&(?:amp;)*(?:#0{0,9}([1-9]\d{0,5})(?!\d);?|#x0{0,9}([0-9a-f]{1,5})(?![0-9a-f]);?|([a-z]{2,8});)/iy,
  '\\': /\\+(?:u([0-9a-f]{4})|u\{0{0,4}([0-9a-f]{2,5})\}|x([2-7][0-9a-f])|(0[4-7][0-7]|1[0-7]{2})|0{0,4}([2-7][0-9a-f])(?: |(?![0-9a-z])))/iy,
  '=': /(?<!=)=(?:\r?\n|[2-7][0-9A-F])/y,
  '+': /\+/y,
};
const SIGNS = Object.keys(FORMS);
/** The possible beginnings of an escape, also of quoted-printable and of a plus for a space. */
export const ESCAPE_SIGN =
  /%[0-9a-f]|&(?:amp;)*(?:#|[a-z]{2,8};)|=(?:[2-7][0-9a-f]|\?|[\r\n]|.*\+)|\?q\?|\\+(?:[ux0-7]|[2-7][0-9a-f])/i;
/** Possible second characters: one check excludes nearly all candidates. */
const SECOND: Readonly<Record<string, RegExp>> = {
  '%': /[0-9a-f]/i,
  '&': /[#a-z]/i,
  '\\': /[ux0-7\\]/i,
  '=': /[2-7\r\n]/,
  '+': /[^+=]/,
};
const SECONDS = new Map(
  SIGNS.map((sign) => [
    sign,
    Uint8Array.from({ length: 128 }, (_, code) => (SECOND[sign]!.test(String.fromCharCode(code)) ? 1 : 0)),
  ]),
);
/** Signs of quoted-printable; in other texts `=40` is the beginning of a number. */
const QUOTED = /=(?:[2-7][0-9A-F](?:=[2-7][0-9A-F]){2}|(?:20|3D)[^\n]{0,76}=(?:20|3D|\r?\n)|\r?\n(?=\S))/y;

function isQuoted(text: string): boolean {
  const seconds = SECONDS.get('=')!;
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1)) {
    if (seconds[text.charCodeAt(at + 1)] !== 1) continue;
    if (matchesAt(QUOTED, text, at)) return true;
  }
  return text.includes('=?') && /\?q\?/i.test(text);
}

const NAMED: Readonly<Record<string, string>> = {
  commat: '@',
  period: '.',
  hyphen: '-',
  dash: '-',
  ndash: '-',
  mdash: '-',
  minus: '-',
  colon: ':',
  comma: ',',
  plus: '+',
  num: '#',
  lowbar: '_',
  sol: '/',
  lpar: '(',
  rpar: ')',
  equals: '=',
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  tab: ' ',
  newline: '\n',
  shy: '',
  zwj: '',
  zwnj: '',
};

/** Returns the first escape from an index on. With ascending indexes it reads its text only once. */
export type NextEscape = (from: number) => Escape | undefined;

export function escapesOf(text: string): NextEscape {
  const signs = SIGNS.filter((sign) => text.includes(sign) && (sign !== '=' || isQuoted(text)));
  const isBlank = createPlusReader(text);
  const found: (Escape | undefined)[] = signs.map(() => ({ start: -1, end: -1, plain: '' }));
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one search for a sign through the text, which skips its runs
  const nextOf = (sign: string, from: number): Escape | undefined => {
    const form = FORMS[sign]!;
    const seconds = SECONDS.get(sign)!;
    for (let at = text.indexOf(sign, from); at >= 0; at = text.indexOf(sign, at + 1)) {
      if (seconds[text.charCodeAt(at + 1)] !== 1) continue;
      const match = sign === '+' && !isBlank(at) ? null : matchAt(form, text, at);
      const plain = match === null ? undefined : plainOf(sign, match);
      if (match !== null && plain !== undefined) return { start: at, end: at + match[0].length, plain };
      // If a run of backslashes is not an escape from its first one, it is none from a later one.
      if (match === null && sign === '\\') while (text.charCodeAt(at + 1) === 92) at++;
    }
    return undefined;
  };
  return (from) => {
    let first: Escape | undefined;
    for (const [index, sign] of signs.entries()) {
      let one = found[index];
      if (one !== undefined && one.start < from) {
        one = nextOf(sign, from);
        found[index] = one;
      }
      if (one !== undefined && (first === undefined || one.start < first.start)) first = one;
    }
    return first;
  };
}

/**
 * Returns invisible characters between two word characters as escapes of a space, because they may separate two values.
 */
export function hiddenOf(text: string): NextEscape {
  return (from) => {
    for (let at = from; at < text.length; at++) {
      if (CARE[text.charCodeAt(at)] !== DROP) continue;
      const start = at;
      while (CARE[text.charCodeAt(at + 1)] === DROP) at++;
      if (isWordish(text, start - 1) && isWordish(text, at + 1)) return { start, end: at + 1, plain: ' ' };
    }
    return undefined;
  };
}

/** Decodes an escape; undefined if the result cannot be part of a value. */
function plainOf(sign: string, match: RegExpExecArray): string | undefined {
  if (sign === '+') return ' ';
  if (sign === '&') {
    if (match[3] !== undefined) return NAMED[match[3].toLowerCase()];
    return readable(match[1] === undefined ? Number.parseInt(match[2]!, 16) : Number(match[1]));
  }
  if (sign === '\\') {
    if (match[4] !== undefined) return readable(Number.parseInt(match[4], 8));
    return readable(Number.parseInt(match[1] ?? match[2] ?? match[3] ?? match[5]!, 16));
  }
  if (match[0].charCodeAt(1) < 32) return '';
  // a single byte, as in nearly all cases
  if (match[0].length === 3) return readable(Number.parseInt(match[0].slice(1), 16));
  const bytes = match[0].replace(/%(?:25)*(?=[0-9a-f]{2})/gi, '').match(/../g)!;
  return readable(fromUtf8(bytes.map((byte) => Number.parseInt(byte, 16))));
}

/** Decodes the code point of one, two or three bytes. */
function fromUtf8([first = 0, second = 0, third]: readonly number[]): number {
  if (first < 0x80) return first;
  return third === undefined
    ? ((first & 31) << 6) | (second & 63)
    : ((first & 15) << 12) | ((second & 63) << 6) | (third & 63);
}

/**
 * Returns the character for ASCII, spaces and dashes of all kinds, and characters that are folded to one; undefined for
 * others, such as letters of other scripts.
 */
function readable(code: number): string | undefined {
  const isRead =
    (code < 127 && (code > 31 || code === 9 || code === 10 || code === 13)) ||
    code === 0xa0 ||
    (code >= 0x2000 && code <= 0x2015) ||
    (code >= 0x2028 && code <= 0x202f) ||
    code === 0x2212 ||
    (code > 0xff && code < 0xd800 && CARE[code] !== PLAIN) ||
    (code >= 0xf900 && code < 0xffff && CARE[code] !== PLAIN);
  return isRead ? String.fromCharCode(code) : undefined;
}
