import { decodeHTMLStrict } from 'entities/decode';
import { matchesAt } from '../read/match-at.ts';
import { OffsetMap } from './offset-map.ts';

/** A text with its codes decoded. */
export interface DecodedEscapes {
  readonly text: string;
  /** Maps `text` to what was decoded. */
  readonly map: OffsetMap;
  /** The kind of the first code that gives words; empty: no code does. */
  readonly kind: string;
}

/**
 * A code of any kind, its layers of the same kind with it. A run of bytes is one code, because its bytes are characters
 * together.
 */
const CODE = new RegExp(
  [
    '(?<percent>(?:%(?:25){0,4}[0-9a-f]{2})+)',
    '%(?:25){0,4}u(?<percentUnit>[0-9a-f]{4})',
    // Browsers also accept entities without a semicolon.
    '&(?:amp;){0,4}(?:#0{0,9}(?<decimal>\\d{2,7});?|#x0{0,9}(?<hex>[0-9a-f]{2,6});?|(?<name>[a-z][a-z\\d]{1,30}(?=;)|nbsp|shy);?)',
    '(?<bytes>(?:\\\\{1,8}(?:x[0-9a-f]{2}|(?!000)[0-3][0-7]{2}|40(?![\\d ])))+)',
    '\\\\{1,8}u(?:\\{(?<braced>[0-9a-f]{2,6})\\}|(?<unit>[0-9a-f]{4}))',
    // of style sheets, which end with a space
    '\\\\0{0,4}(?<style>[2-7][0-9a-f])(?: |(?![0-9a-z]))',
    // In a path of Windows they are the beginnings of names.
    '(?<!\\b[a-z]:\\\\\\S{0,80})(?<signs>(?:\\\\{1,8}(?-i:[nrt]))+)',
    '\\\\{1,8}(?<mark>[ -/:-@[\\]-`{|}~]|\\r?\\n)',
    '(?<=[a-z])\\\\(?<letter>[a-z])(?=[a-z])',
    // Subjects of mails
    '=\\?[\\w-]{1,20}\\?q\\?(?<subject>[^\\s?]{1,400})\\?=',
    // A line may end between the bytes of a character.
    '(?<quoted>(?:=[0-9a-f]{2})+(?:=\\r?\\n(?:=[0-9a-f]{2})+)*)',
    '(?<lineEnd>=\\r?\\n)',
    `(?<=[\\p{L}.,!?;:'")]|%[0-9a-f]{2})(?<plus>\\+)(?=[\\p{L}'"(%])`,
    '(?<field>\\$(?:\\{IFS[^\\s}]{0,9}\\}|IFS(?:\\$9)?))',
    '(?<=\\p{L})(?<quotes>\'\'|"")(?=\\p{L})',
  ].join('|'),
  'giu',
);

type Groups = Readonly<Record<string, string | undefined>>;

const LETTER = /\p{L}/u;
/** What a letter stands beside, or a code of one. */
const BEGINS_WORD = /[\p{L}%&\\=]/u;
/** A sign that another code begins with. */
const BEGINS_CODE = /^[%&\\]$/;
const FOLLOWS_SIGN = /[\da-z#]/i;
/** Fewer letters in codes of these kinds occur by chance: `width=64em`, `C:\users\all`. */
const LEAST_OF_RARE = 3;

/** Decodes all kinds in one pass; what is encoded in several of them is decoded by passing again. */
export function decodeEscapes(region: string): DecodedEscapes {
  const map = new OffsetMap();
  map.add(0, 0, true);
  let text = '';
  let at = 0;
  let kind = '';
  let rare = 0;
  let lineEnd = -1;
  for (const { 0: code, index, groups } of region.matchAll(CODE)) {
    const plain = plainOf(groups!);
    if (plain === undefined) continue;
    const end = index + code.length;
    text += region.slice(at, index);
    map.add(text.length, index, false);
    text += writtenAs(plain, region, at === lineEnd ? at : -1, index, end);
    map.add(text.length, end, true);
    at = end;
    if (isLineEnd(plain)) lineEnd = end;
    if (kind !== '' || !givesWords(groups!, plain, region, index, end)) continue;
    rare += plain.length;
    if (rare >= LEAST_OF_RARE || !isRare(groups!, plain)) kind = kindOf(groups!);
  }
  return { text: text + region.slice(at), map, kind };
}

const isLineEnd = (plain: string): boolean => plain.includes('\n') && isBlank(plain);

/** Words with a line each are one sentence. */
function writtenAs(plain: string, region: string, lastEnd: number, start: number, end: number): string {
  return isLineEnd(plain) && isBesideWord(region, lastEnd, start, end) ? ' ' : plain;
}

/** A word that ends with the code of a line end or tab. */
const WORD_OF_LINE = new RegExp(
  [
    '[^\\s\\\\]{1,40}\\\\{1,8}(?:[nrt]|u(?:000[9ad]|\\{0{0,4}[9ad]\\})|x0[9ad])',
    '[^\\s%]{1,40}%(?:25){0,4}0[9ad]',
    '[^\\s&]{1,40}&(?:amp;){0,4}(?:newline|tab|#(?:0{0,9}(?:9|1[03])|x0{0,9}[9ad]));',
  ].join('|'),
  'iy',
);

/**
 * True for a line end beside a single word that ends with a line end, too. `lastEnd`: the line end before it, with no
 * other code between; -1: none.
 */
function isBesideWord(region: string, lastEnd: number, start: number, end: number): boolean {
  if (matchesAt(WORD_OF_LINE, region, end)) return true;
  return lastEnd >= 0 && start > lastEnd && start - lastEnd < 40 && !/\s/.test(region.slice(lastEnd, start));
}

const isRare = ({ quoted, letter }: Groups, plain: string): boolean =>
  (quoted !== undefined && /^[!-~]/.test(plain)) || letter !== undefined;

/** True if a text has more words with `plain` than with its code: a letter, or the end of a word. */
function givesWords({ lineEnd }: Groups, plain: string, region: string, start: number, end: number): boolean {
  const before = region[start - 1] ?? ' ';
  const after = region[end] ?? ' ';
  if (lineEnd !== undefined) return LETTER.test(before) || LETTER.test(after);
  if (plain === '' || plain === '+') return LETTER.test(before) && LETTER.test(after);
  if (isBlank(plain)) return before > ' ' && BEGINS_WORD.test(after);
  if (BEGINS_CODE.test(plain)) return FOLLOWS_SIGN.test(after);
  return LETTER.test(plain);
}

const isBlank = (plain: string): boolean => plain.trim() === '';

function kindOf(groups: Groups): string {
  if (groups['percent'] ?? groups['percentUnit'] ?? groups['plus']) return 'percent';
  if (groups['decimal'] ?? groups['hex'] ?? groups['name']) return 'entities';
  return (groups['quoted'] ?? groups['lineEnd'] ?? groups['subject']) ? 'quoted-printable' : 'escapes';
}

/** Returns what a code stands for; undefined: it is none. */
function plainOf(groups: Groups): string | undefined {
  const subject = groups['subject'];
  const plain = subject === undefined ? characterOf(groups) : fromSubject(subject);
  if (plain === undefined || plain.length > 8) return plain;
  if (INVISIBLE.test(plain)) return '';
  // A tab would end a cell.
  return isBlank(plain) ? plain.replace(/[^\r\n]/g, ' ').replaceAll('\r', '\n') : plain;
}

function characterOf(groups: Groups): string | undefined {
  const { percent, name, bytes, signs, mark, quoted, decimal } = groups;
  if (percent !== undefined) return fromBytes(percent.split('%'));
  if (quoted !== undefined) return fromBytes(quoted.split('='));
  if (bytes !== undefined) return fromEscapedBytes(bytes);
  if (name !== undefined) return namedEntity(name);
  if (signs !== undefined) return signs.replace(/\\+/g, '').replace(/[nrt]/g, (sign) => SIGNS[sign]!);
  if (mark !== undefined) return mark.endsWith('\n') ? '' : mark;
  if (groups['plus'] ?? groups['field']) return ' ';
  if (groups['quotes'] ?? groups['lineEnd']) return '';
  if (groups['letter'] !== undefined) return groups['letter'];
  if (decimal !== undefined) return fromCode(Number(decimal));
  const { hex, braced, unit, style, percentUnit } = groups;
  return fromCode(Number.parseInt(hex ?? braced ?? unit ?? style ?? percentUnit ?? '', 16));
}

/** In one case: `\N` and `\T` are folders. */
const SIGNS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function fromSubject(subject: string): string {
  return subject.replaceAll('_', ' ').replace(/(?:=[0-9a-f]{2})+/gi, (run) => fromBytes(run.split('=')));
}

const fromCode = (code: number): string | undefined =>
  code > 0 && code < 0x110000 ? String.fromCodePoint(code) : undefined;

const utf8 = new TextDecoder();

/** Decodes bytes in hex as UTF-8; each part ends with one. */
function fromBytes(parts: readonly string[]): string {
  const bytes = parts.filter((part) => part > ' ').map((part) => Number.parseInt(part.slice(-2), 16));
  return utf8.decode(Uint8Array.from(bytes));
}

/** Codes that no text contains: the digits are of something else. */
const NO_TEXT = /[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]/;

function fromEscapedBytes(run: string): string | undefined {
  const bytes = run
    .split(/\\+/)
    .slice(1)
    .map((part) => (/^x/i.test(part) ? Number.parseInt(part.slice(1), 16) : Number.parseInt(part, 8)));
  const text = utf8.decode(Uint8Array.from(bytes));
  const plain = text.includes('\ufffd') ? String.fromCharCode(...bytes) : text;
  return NO_TEXT.test(plain) ? undefined : plain;
}

const INVISIBLE = /^[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+$/;

/** Some readers accept names in capitals. */
function namedEntity(name: string): string | undefined {
  return entityOf(name) ?? entityOf(name.toLowerCase());
}

function entityOf(name: string): string | undefined {
  const plain = decodeHTMLStrict(`&${name};`);
  return plain.endsWith(`${name};`) ? undefined : plain;
}
