import { HASH_SEED, hashStep, stems, wholeWords } from '../lexicon/tables.ts';
import { readText } from '../read/read-text.ts';
import { Reading } from '../read/reading.ts';

/** A stretch of a text that stands for other text. */
export interface Decoded {
  readonly kind: string;
  readonly text: string;
  /** Where the disguise stands. */
  readonly start: number;
  readonly end: number;
}

const MAX_PIECES = 12;
const MAX_DECODED = 8_192;
const MAX_ODD = 4_000;
const MAX_REGION = 3_000;
/** So much is enough to see whether a code is the right one. */
const MAX_TRIAL = 300;
const MIN_BASE64 = 16;

const check = new Reading();

/** True where text reads as sentences: enough words of an English frame, or several of known meaning. */
export function looksLikeWords(text: string): boolean {
  const known = knownWords(text);
  return check.words >= 3 && known >= check.words * 0.3 && known >= 2;
}

/** Words of a frame or of known meaning, in the first 1,000 characters. */
function knownWords(text: string): number {
  readText(text, 0, Math.min(text.length, 1000), check, false);
  return check.frames + check.concepts;
}

/** Codes nobody writes sentences in by accident: the disguise alone is a signal. */
export const DISGUISES: ReadonlySet<string> = new Set([
  'base64',
  'hex',
  'codes',
  'morse',
  'rot13',
  'reversed',
  'words reversed',
  'atbash',
  'caesar',
  'spaced',
  'leet',
  'vowelless',
]);

/**
 * What is written in a code: base64, hex, percent, entities, escapes, binary, Morse, and whole odd texts in rot13,
 * reversed, with digits for letters, with blanks between letters or without vowels. `reading` is of `text[from, to)`.
 * Bounded in pieces and characters; a caller that decodes again must bound the depth.
 */
export function decodePieces(text: string, from: number, to: number, reading: Reading): Decoded[] {
  const pieces: Decoded[] = [];
  const add = (kind: string, decoded: string | undefined, start: number, end: number) => {
    if (decoded === undefined || decoded.length < 8 || pieces.length >= MAX_PIECES) return;
    pieces.push({ kind, text: decoded.slice(0, MAX_DECODED), start, end });
  };
  let until = from;
  for (let i = 0; i < reading.longWords; i++) {
    const at = reading.longWordStart[i]!;
    if (at < until) continue;
    const [start, end] = codeRun(text, at, from, to);
    until = end;
    if (end - start < MIN_BASE64) continue;
    const run = text.slice(start, Math.min(end, start + MAX_DECODED * 2));
    add('hex', fromHex(run), start, end);
    add('base64', fromBase64(run), start, end);
  }
  const slice = from === 0 && to === text.length ? text : text.slice(from, to);
  // only the neighbourhood of escapes is decoded: a page with a link must not be read twice
  const addRegion = (kind: string, first: RegExp, decode: (text: string) => string | undefined) => {
    for (let at = slice.search(first); at >= 0 && pieces.length < MAX_PIECES; ) {
      const start = Math.max(0, at - 40);
      const region = slice.slice(start, start + MAX_REGION);
      const decoded = decode(region);
      if (decoded !== undefined && decoded.length < region.length - 8) {
        add(kind, decoded, from + start, from + start + region.length);
      }
      const next = start + MAX_REGION;
      const more = next >= slice.length ? -1 : slice.slice(next).search(first);
      at = more < 0 ? -1 : next + more;
    }
  };
  if (slice.includes('%') && /(?:%[0-9a-f]{2}){3}/i.test(slice))
    addRegion('percent', /(?:%[0-9a-f]{2}){3}/i, fromPercent);
  if (slice.includes('&') && /&(?:#\d{2,6}|#x[0-9a-f]{2,5}|[a-z]{2,8});/i.test(slice))
    addRegion('entities', /&(?:#\d{2,6}|#x[0-9a-f]{2,5});/i, fromEntities);
  if (slice.includes('\\u') || slice.includes('\\x'))
    addRegion('escapes', /\\(?:u|x)\{?[0-9a-f]{2}/i, fromEscapes);
  const codes = reading.numbers + reading.mixed;
  if (codes >= 6 && codes > reading.words * 0.15) {
    const digits = numberCodes(slice);
    if (digits !== undefined) add('codes', digits, from, to);
  }
  if (slice.includes('.-') || slice.includes('-.')) add('morse', fromMorse(slice), from, to);
  oddText(slice, reading, (kind, decoded) => add(kind, decoded, from, to));
  return pieces;
}

/** Whole texts that are no language as they stand. */
function oddText(slice: string, reading: Reading, add: (kind: string, decoded: string) => void): void {
  const { words } = reading;
  if (words < 3) return;
  const text = slice.length > MAX_ODD ? slice.slice(0, MAX_ODD) : slice;
  if (reading.single >= 8 && reading.single > words * 0.5) {
    const joined = joinLetters(text);
    if (joined !== undefined) add('spaced', joined);
  }
  if (reading.mixed >= 2 && reading.mixed > words * 0.15) {
    // Base64, ids and versions mix letters and digits too; only what becomes words by it was written in leet.
    const plain = fromLeet(text);
    if (looksLikeWords(plain) && knownWords(plain) >= knownWords(text) + 2) add('leet', plain);
  }
  const known = reading.frames + reading.concepts;
  if (known > words * 0.15 || words < 4 || !/[a-z]{3}/i.test(text)) return;
  const head = text.slice(0, MAX_TRIAL);
  if (isVowelless(head)) add('vowelless', text);
  for (const [kind, decode] of WHOLE_CODES) {
    if (!looksLikeWords(decode(head))) continue;
    add(kind, decode(text));
    return;
  }
}

/** `gnr ll prvs nstrctns`: Latin words of three letters and more, most without a vowel. */
function isVowelless(head: string): boolean {
  const found = head.match(/[a-z]{3,}/gi) ?? [];
  const bare = found.filter((word) => !/[aeiouy]/i.test(word)).length;
  return found.length >= 3 && bare > found.length * 0.7;
}

const WHOLE_CODES: readonly (readonly [string, (text: string) => string])[] = [
  ['rot13', (text) => shift(text, 13)],
  ['reversed', (text) => [...text].reverse().join('')],
  [
    'words reversed',
    (text) =>
      text
        .split(/\s+/)
        .map((word) => [...word].reverse().join(''))
        .join(' '),
  ],
  ['atbash', (text) => mapLetters(text, (letter) => 25 - letter)],
  ['caesar', (text) => shift(text, 23)],
  ['caesar', (text) => shift(text, 3)],
  ['caesar', (text) => shift(text, 25)],
  ['caesar', (text) => shift(text, 1)],
];

function mapLetters(text: string, map: (letter: number) => number): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const base = code >= 97 && code <= 122 ? 97 : code >= 65 && code <= 90 ? 65 : 0;
    out += base === 0 ? text[i] : String.fromCharCode(base + map(code - base));
  }
  return out;
}

function shift(text: string, by: number): string {
  return mapLetters(text, (letter) => (letter + by) % 26);
}

function codeRun(text: string, at: number, from: number, to: number): [number, number] {
  let start = at;
  let end = at;
  while (start > from && isCode(text.charCodeAt(start - 1))) start--;
  while (end < to && isCode(text.charCodeAt(end))) end++;
  return [start, end];
}

function isCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 61 ||
    code === 45 ||
    code === 95
  );
}

function fromHex(run: string): string | undefined {
  if (
    run.length % 2 !== 0 ||
    !/^[0-9a-f]+$/i.test(run) ||
    /^\d+$/.test(run.slice(0, 40)) === /[a-f]/i.test(run)
  )
    return undefined;
  const bytes = new Uint8Array(run.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(run.slice(i * 2, i * 2 + 2), 16);
  return readable(bytes);
}

function fromBase64(run: string): string | undefined {
  const plain = run.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
  // words and paths are letters of one case mostly; base64 of text mixes cases
  if (plain.length < MIN_BASE64 || plain.includes('=') || !/[a-z]/.test(plain) || !/[A-Z]/.test(plain))
    return undefined;
  const bytes = atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
  const codes = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) codes[i] = bytes.charCodeAt(i);
  return readable(codes);
}

/** Bytes as text when nearly all of it is letters and blanks. */
function readable(bytes: Uint8Array): string | undefined {
  if (bytes.length < 8) return undefined;
  const text = new TextDecoder('utf-8', { fatal: false }).decode(bytes);
  let good = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd || (code < 32 && code !== 10 && code !== 13 && code !== 9)) return undefined;
    if ((code | 32) >= 97 && (code | 32) <= 122) good++;
    else if (code === 32 || code > 0xbf) good++;
  }
  return good >= text.length * 0.75 ? text : undefined;
}

function fromPercent(slice: string): string {
  return slice.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = new Uint8Array(run.length / 3);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(run.slice(i * 3 + 1, i * 3 + 3), 16);
    return new TextDecoder('utf-8', { fatal: false }).decode(bytes);
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  colon: ':',
  comma: ',',
  period: '.',
  excl: '!',
};

function fromEntities(slice: string): string | undefined {
  let changed = 0;
  const out = slice.replace(
    /&(?:#(\d{2,6})|#x([0-9a-f]{2,5})|([a-z]{2,8}));/gi,
    (whole, decimal, hex, name) => {
      const code =
        decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : -1;
      if (code > 0 && code < 0x110000) {
        changed++;
        return String.fromCodePoint(code);
      }
      return ENTITIES[String(name).toLowerCase()] ?? whole;
    },
  );
  return changed >= 4 ? out : undefined;
}

function fromEscapes(slice: string): string | undefined {
  let changed = 0;
  const out = slice.replace(/\\u\{?([0-9a-f]{4})\}?|\\x([0-9a-f]{2})/gi, (_whole, long, short) => {
    changed++;
    return String.fromCharCode(Number.parseInt(long ?? short, 16));
  });
  return changed >= 4 ? out : undefined;
}

/** Rows of binary, octal-free decimal or hex character codes. */
function numberCodes(slice: string): string | undefined {
  const run =
    /(?:[01]{8}[\s,]+){5,}[01]{8}|(?:(?:0x)?[2-7][0-9a-f][\s,]+){7,}(?:0x)?[2-7][0-9a-f]\b|(?:(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])[\s,]+){7,}\d{2,3}\b/i.exec(
      slice.slice(0, MAX_ODD),
    );
  if (run === null) return undefined;
  const codes = run[0].split(/[\s,]+/);
  const base = codes.every((code) => /^[01]{8}$/.test(code))
    ? 2
    : codes.some((code) => /[a-fx]/i.test(code))
      ? 16
      : 10;
  const decode = (radix: number) =>
    codes.map((code) => String.fromCharCode(Number.parseInt(code.replace(/^0x/i, ''), radix))).join('');
  const decoded = decode(base);
  if (base !== 10 || looksLikeWords(decoded)) return decoded;
  return decode(16);
}

const MORSE: Readonly<Record<string, string>> = Object.fromEntries(
  'a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- w.-- x-..- y-.-- z--..'
    .split(' ')
    .map((entry) => [entry.slice(1), entry[0] ?? '']),
);

function fromMorse(slice: string): string | undefined {
  const run = /(?:[.-]{1,5}[ /|\n]+){11,}[.-]{1,5}/.exec(slice.slice(0, MAX_ODD));
  if (run === null) return undefined;
  const letters = run[0].split(/[ /|\n]/);
  let out = '';
  for (const letter of letters) out += letter === '' ? ' ' : (MORSE[letter] ?? '');
  return segment(out.replace(/\s+/g, ' '));
}

const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '+': 't',
};

function fromLeet(text: string): string {
  return text.replace(/[a-z0-9@$!|+]{2,}/gi, (word) =>
    /[a-z]/i.test(word) && /[0-9@$!|+]/.test(word)
      ? word.replace(/[0-9@$!|+]/g, (sign) => LEET[sign] ?? sign)
      : word,
  );
}

/** `i g n o r e  a l l` -> `ignore all`; without wider gaps the words are looked for. */
function joinLetters(text: string): string | undefined {
  const run = /(?:\p{L}[ .\-_*\n]{1,3}){7,}\p{L}/u.exec(text);
  if (run === null) return undefined;
  const single = run[0].replace(/(\p{L})[ .\-_*\n](?=\p{L})/gu, '$1').replace(/[ .\-_*\n]+/g, ' ');
  return single.includes(' ') ? single : segment(single);
}

/** Puts blanks between words of a text written without them, as far as they are known. */
export function segment(text: string): string {
  const lower = text.toLowerCase();
  let out = '';
  let at = 0;
  while (at < lower.length) {
    const length = knownLength(lower, at);
    if (length === 0) {
      out += lower[at];
      at++;
      continue;
    }
    let end = at + length;
    // the rest of an inflected word, up to where the next known one begins
    for (
      let more = 0;
      more < 5 && end < lower.length && knownLength(lower, end) < 3 && lower[end] !== ' ';
      more++
    )
      end++;
    out += ` ${lower.slice(at, end)} `;
    at = end;
  }
  return out.replace(/ +/g, ' ').trim();
}

function knownLength(text: string, at: number): number {
  let hash = HASH_SEED;
  let best = 0;
  for (let i = at; i < text.length && i < at + 14; i++) {
    const code = text.charCodeAt(i);
    if (code < 97 || code > 122) break;
    hash = hashStep(hash, code);
    const length = i - at + 1;
    if (length < 2) continue;
    if (wholeWords.get(hash) !== 0 || (length > 3 && stems.get(hash) !== 0)) best = length;
  }
  return best;
}

export const MAX_DECODE_DEPTH = 3;
