import { matchesAt } from '../read/match-at.ts';

/** Fewer entities or escapes than these are punctuation, not a disguise. */
const MIN_CHANGES = 4;
/** Only the surroundings of an escape are decoded, so that a page with a link is not read twice. */
const BEFORE = 40;
const MAX_REGION = 3_000;

const PERCENT = /(?:%[0-9a-f]{2})+/gi;
/** Browsers also accept entities without a semicolon. */
const ENTITY = /&(?:#0{0,9}(\d{2,6});?|#x0{0,9}([0-9a-f]{2,5});?|([a-z]{2,8});)/gi;
/** Escapes of JSON, JavaScript and C (octal), and of style sheets, which end with a space. */
const ESCAPE =
  /\\u\{([0-9a-f]{2,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([01][0-7]{2})|\\0{0,4}([2-7][0-9a-f])(?: |(?![0-9a-z]))/gi;
const QUOTED = /=\r?\n|(?:=[0-9a-f]{2})+/gi;

/**
 * The first character of each kind, and the pattern that must match there: searching for one character is much faster
 * than for a pattern.
 */
const KINDS: readonly { readonly sign: string; readonly at: RegExp }[] = [
  { sign: '%', at: /(?:%(?:25)*[0-9a-f]{2}){3}/iy },
  { sign: '&#', at: /&#(?:\d{2}|x[0-9a-f]{2})/iy },
  { sign: '\\', at: /\\(?:[ux]\{?[0-9a-f]{2}|[01][0-7]{2}\\|0{0,4}[2-7][0-9a-f] ?\\)/iy },
  { sign: '=', at: /(?:=[2-7][0-9a-f]){3}/iy },
];

const SIGNS: readonly string[] = KINDS.map(({ sign }) => sign);

/** A range with escapes, and its text without them. */
export interface Unescaped {
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Returns ranges of `text` with percent codes, HTML entities or backslash escapes, at most `most`. */
export function unescapeRegions(text: string, most: number): Unescaped[] {
  const regions: Unescaped[] = [];
  // Nearly all texts contain none of these.
  if (!SIGNS.some((sign) => text.includes(sign))) return regions;
  const places = KINDS.map(({ sign, at }) => nextPlace(text, sign, at, 0));
  for (;;) {
    const place = Math.min(...places);
    if (place === Number.POSITIVE_INFINITY || regions.length >= most) return regions;
    const start = Math.max(0, place - BEFORE);
    const end = Math.min(text.length, start + MAX_REGION);
    const decoded = unescapeAll(text.slice(start, end));
    if (decoded !== undefined && decoded.text.length < end - start - 8)
      regions.push({ ...decoded, start, end });
    for (const [index, { sign, at }] of KINDS.entries())
      if (places[index]! < end) places[index] = nextPlace(text, sign, at, end);
  }
}

/** Returns the first offset from `from` on where `sign` occurs and `at` matches. */
function nextPlace(text: string, sign: string, at: RegExp, from: number): number {
  for (let place = text.indexOf(sign, from); place >= 0; place = text.indexOf(sign, place + 1)) {
    if (matchesAt(at, text, place)) return place;
  }
  return Number.POSITIVE_INFINITY;
}

/** Decodes all kinds in one pass, so that a mixture is not decoded layer by layer. `kind` is the first that occurs. */
function unescapeAll(region: string): { kind: string; text: string } | undefined {
  let text = region;
  let kind = '';
  for (const [name, unfold] of UNFOLDERS) {
    const unfolded = unfold(text);
    if (unfolded === undefined) continue;
    text = unfolded;
    kind ||= name;
  }
  return kind === '' ? undefined : { kind, text };
}

const UNFOLDERS: readonly (readonly [string, (text: string) => string | undefined])[] = [
  ['percent', fromPercent],
  ['entities', fromEntities],
  ['escapes', fromEscapes],
  ['quoted-printable', fromQuoted],
];

const utf8 = new TextDecoder();

function fromPercent(text: string): string | undefined {
  if (!text.includes('%')) return undefined;
  let changed = false;
  const out = text.replace(PERCENT, (run) => {
    changed = true;
    return fromTriplets(run);
  });
  return changed ? out : undefined;
}

/** Decodes the bytes of `%49%67` or `=49=67` as UTF-8. */
function fromTriplets(run: string): string {
  const bytes = new Uint8Array(run.length / 3);
  for (let i = 0; i < bytes.length; i++) bytes[i] = byteAt(run, i * 3 + 1);
  return utf8.decode(bytes);
}

function fromQuoted(text: string): string | undefined {
  let changed = 0;
  const out = text.replace(QUOTED, (run) => {
    changed += run.length / 3;
    return run[1]! < ' ' ? '' : fromTriplets(run);
  });
  return changed >= MIN_CHANGES ? out : undefined;
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

function fromEntities(text: string): string | undefined {
  if (!text.includes('&')) return undefined;
  let changed = 0;
  const out = text.replace(ENTITY, (whole, decimal, hex, name) => {
    const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : -1;
    if (code > 0) {
      changed++;
      return String.fromCodePoint(code);
    }
    return ENTITIES[String(name).toLowerCase()] ?? whole;
  });
  return changed >= MIN_CHANGES ? out : undefined;
}

function fromEscapes(text: string): string | undefined {
  if (!text.includes('\\')) return undefined;
  let changed = 0;
  const out = text.replace(ESCAPE, (whole, braced, long, short, octal, style) => {
    const code = Number.parseInt(octal ?? braced ?? long ?? short ?? style, octal === undefined ? 16 : 8);
    if (code >= 0x110000) return whole;
    changed++;
    return String.fromCodePoint(code);
  });
  return changed >= MIN_CHANGES ? out : undefined;
}

/** Converts two hex digits to a byte. */
export function byteAt(text: string, at: number): number {
  return hexDigit(text.charCodeAt(at)) * 16 + hexDigit(text.charCodeAt(at + 1));
}

function hexDigit(code: number): number {
  return code < 58 ? code - 48 : (code | 32) - 87;
}
