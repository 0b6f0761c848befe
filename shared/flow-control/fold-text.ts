import { foldLookAlikes } from '../detection/index.ts';
import { finish, type Steps } from '../text/index.ts';

const NOT_ASCII = /[^\x00-\x7f]/;
const AT_WORD = /[[({]\s?(?:at|ät|arroba|@)\s?[\])}]/i;
const AT = /\s{0,3}[[({]\s?(?:at|ät|arroba|@)\s?[\])}]\s{0,3}/gi;
const DOT_WORD = /[[({]\s?(?:dot|punkt|punto|point|\.)\s?[\])}]/i;
const DOT = /\s{0,3}[[({]\s?(?:dot|punkt|punto|point|\.)\s?[\])}]\s{0,3}/gi;
/** `eve dot w at evil dot example`: without a word for the dot, "at" is an ordinary word. */
const SPOKEN =
  /(?<=[a-z\d])((?:[ _](?:dot|punto|punkt|point)[ _][a-z\d-]{1,63}){0,3})[ _](?:at|ät|arroba|chez)[ _]((?:[a-z\d-]{1,63}[ _]?(?:[ _](?:dot|punto|punkt|point)[ _]|\.)){1,4}[a-z]{2,24})\b/gi;
const SPOKEN_DOT = /[ _](?:dot|punto|punkt|point)[ _]/gi;
const HAS_DOT = /[ _](?:dot|punto|punkt|point)[ _]/i;
/** Escapes of printable characters in URLs, HTML and JSON; `=40` of emails only before a domain. */
const ESCAPE =
  /%(?:25)*([2-7][\da-f])|&#0*(\d{2,3});|&#x0*([2-7][\da-f]);|&(commat|period|colon|sol|nbsp|hyphen);|\\u00([2-7][\da-f])|(?<=\w)=(40)(?=[a-z][\w-]*\.)/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ commat: '@', period: '.', colon: ':', sol: '/', nbsp: ' ', hyphen: '-' },
};
/** Soft line breaks and quote markers of email programs. */
const QUOTED_LINE = /(?<=\S)=\r?\n(?=\S)|(?<=\n)>[> ]*/g;

/**
 * Normalizes a text: removes invisible characters, and folds full-width letters, digits of other scripts, typographic
 * dashes, spaces and quotes, `eve [at] evil [dot] example`, `hxxp://`, and escapes of URLs, HTML, JSON and emails.
 */
export function foldText(text: string): string {
  return finish(foldTextInSteps(text));
}

/** Does the same in steps. */
export function* foldTextInSteps(text: string): Steps<string> {
  let folded = text;
  for (const pass of PASSES) {
    folded = pass(folded);
    // Short texts are read as they are.
    if (text.length > LONG) yield;
  }
  return folded;
}

const LONG = 8_192;

const PASSES: readonly ((text: string) => string)[] = [
  (text) => (NOT_ASCII.test(text) ? foldLetters(text) : text),
  (text) => text.replace(QUOTED_LINE, ''),
  (text) => text.replace(ESCAPE, unescaped),
  (text) =>
    text.replace(SPOKEN, (whole, local: string, domain: string) =>
      HAS_DOT.test(whole) ? `${local.replace(SPOKEN_DOT, '.')}@${domain.replace(SPOKEN_DOT, '.')}` : whole,
    ),
  (text) => text.replace(/\bhxxp(s?):/gi, 'http$1:'),
  // Matching the spaces around them is slow, and few texts contain any.
  (text) => (AT_WORD.test(text) ? text.replace(AT, '@') : text),
  (text) => (DOT_WORD.test(text) ? text.replace(DOT, '.') : text),
];

function unescaped(written: string, ...groups: readonly (string | undefined)[]): string {
  const [percent, decimal, hex, entity, json, mail] = groups;
  if (entity !== undefined) return ENTITIES[entity.toLowerCase()] ?? written;
  const code = decimal === undefined ? Number.parseInt(percent ?? hex ?? json ?? mail!, 16) : Number(decimal);
  return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : ' ';
}

/** A fast superset: it includes letters between the digits of other scripts, which stay unchanged. */
const TYPOGRAPHIC =
  /[\u00ab\u00ad\u00b7\u00bb\u02bc\u0660-\u1fff\u200b-\u201e\u2022\u2060-\u2064\u2212\u3002\ua620-\uabff\ufeff]/g;

function foldLetters(text: string): string {
  const composed = text.normalize('NFKC');
  return composed.replace(TYPOGRAPHIC, (sign, at: number) => {
    if (INVISIBLE.test(sign)) return '';
    const between = DOTS[sign];
    if (between === undefined) return FOLDED[sign] ?? digitOf(sign.charCodeAt(0)) ?? sign;
    return between.test(`${composed[at - 1] ?? ''}${composed[at + 1] ?? ''}`) ? '.' : sign;
  });
}

/** Characters that mean a dot between two such characters. */
const DOTS: Readonly<Record<string, RegExp>> = {
  '\u3002': /^[a-z\d]{2}$/i,
  '\u00b7': /^\d\d$/,
  '\u2022': /^\d\d$/,
};

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/;
const FOLDED: Readonly<Record<string, string>> = {
  ...{ '\u2212': '-', '\u2018': "'", '\u2019': "'", '\u02bc': "'" },
  ...{ '\u2010': '-', '\u2011': '-', '\u2012': '-', '\u2013': '-', '\u2014': ' --', '\u2015': ' --' },
  ...{ '\u201c': '"', '\u201d': '"', '\u201e': '"', '\u00ab': '"', '\u00bb': '"' },
};

/** The digits of every script are consecutive, from a code that ends in 0 or 6; undefined: not a digit. */
function digitOf(code: number): string | undefined {
  if (!/\p{Nd}/u.test(String.fromCodePoint(code))) return undefined;
  const row = code & ~0xf;
  return String(/\p{Nd}/u.test(String.fromCodePoint(row)) ? code - row : code - row - 6);
}

const FOREIGN = /[\u0370-\u058f]/;

/** Maps letters that look Latin to Latin ones; equal for an address and its look-alikes. */
export const foldAddress = (address: string): string =>
  FOREIGN.test(address) ? foldLookAlikes(address) : address;

/** Converts a host to ASCII, as for a connection: `bücher.example` is `xn--bcher-kva.example`. */
export function asciiHost(host: string): string {
  if (/^[\x00-\x7f]*$/.test(host)) return host;
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return host;
  }
}
