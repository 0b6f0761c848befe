import { codesOf } from '../read/codes.ts';
import { ALWAYS_FOLD, CARE, DROP, LOOKALIKE, PLAIN } from './tables.ts';

/**
 * Where stretches of the cleaned text come from, in order. A straight stretch runs on character by character;
 * all characters of another stand for one place.
 */
interface OffsetMap {
  readonly cleaned: number[];
  readonly original: number[];
  readonly straight: boolean[];
}

/** Text as it is read: without what cannot be seen, in one spelling. `map` is absent where nothing changed. */
export interface CleanText {
  readonly text: string;
  readonly map?: OffsetMap;
  /** Invisible characters dropped that no ordinary writing has: zero-width, direction, tags, fillers. */
  readonly hidden: number;
  /** Words that mixed scripts to look like Latin ones. */
  readonly mixed: number;
  /** Text carried by tag characters or variation selectors, decoded; empty when there is none. */
  readonly smuggled: string;
  /** Where the smuggled text stands in the original. */
  readonly smuggledAt: number;
}

const CYRILLIC_OR_GREEK = 1;
const LATIN = 2;

/** One look at every code decides whether there is anything to do; most texts are returned as they are. */
export function clean(text: string): CleanText {
  const { length } = text;
  const codes = codesOf(text);
  const cares = CARE;
  let care = 0;
  let foreign = false;
  let mixes = false;
  for (let i = 0; i < length; i++) {
    const code = codes[i]!;
    if (code < 128) continue;
    care |= cares[code]!;
    if (code < 0x590 && code >= 0x370 && !mixes) {
      foreign = true;
      // the rest of the word at once: foreign texts are made of such letters
      const start = i;
      let scripts = CYRILLIC_OR_GREEK;
      for (let script = scriptOf(codes[i + 1]!); script !== 0; script = scriptOf(codes[i + 1]!)) {
        scripts |= script;
        care |= cares[codes[++i]!]!;
      }
      mixes = (scripts & LATIN) !== 0 || (start > 0 && scriptOf(codes[start - 1]!) === LATIN);
    }
  }
  if (care === PLAIN && !mixes) return { text, hidden: 0, mixed: 0, smuggled: '', smuggledAt: 0 };
  return new Cleaner(text).run(foreign);
}

/** Runs that stay as they are are kept as slices of the source; only what changes is written anew. */
class Cleaner {
  private readonly source: string;
  private readonly parts: string[] = [];
  private readonly offsets: OffsetMap = { cleaned: [], original: [], straight: [] };
  private length = 0;
  private runStart = 0;
  private hidden = 0;
  private changed = false;
  private readonly smuggled: number[] = [];
  private smuggledAt = -1;

  constructor(source: string) {
    this.source = source;
  }

  run(foldMixed: boolean): CleanText {
    const { source } = this;
    const codes = codesOf(source);
    let index = 0;
    while (index < source.length) {
      const code = codes[index]!;
      const care = code < 128 ? PLAIN : CARE[code]!;
      if (care === PLAIN) index++;
      else if (care === DROP) {
        this.drop(code, index);
        this.replace('', index, index + 1);
        index++;
      } else index = this.closer(code, index);
    }
    this.keepUntil(source.length);
    const joined = this.changed ? this.parts.join('') : source;
    const folded = foldMixed ? foldWords(joined) : { text: joined, words: 0 };
    const map = this.changed ? this.offsets : undefined;
    if (map !== undefined) this.mark(source.length, true);
    return {
      text: folded.text,
      ...(map === undefined ? {} : { map }),
      hidden: this.hidden,
      mixed: folded.words,
      smuggled: utf8(this.smuggled),
      smuggledAt: Math.max(0, this.smuggledAt),
    };
  }

  private mark(original: number, straight: boolean): void {
    this.offsets.cleaned.push(this.length);
    this.offsets.original.push(original);
    this.offsets.straight.push(straight);
  }

  private keepUntil(index: number): void {
    if (index === this.runStart) return;
    this.mark(this.runStart, true);
    this.parts.push(this.source.slice(this.runStart, index));
    this.length += index - this.runStart;
  }

  private replace(text: string, from: number, to: number): void {
    this.keepUntil(from);
    this.changed = true;
    this.runStart = to;
    if (text === '') return;
    this.mark(from, false);
    this.parts.push(text);
    this.length += text.length;
  }

  private drop(code: number, index: number): void {
    // an emoji's own selector and joiner, and marks that Arabic, Persian and Indic writing needs, hide nothing
    if (code === 0xfe0f || code === 0xfe0e) {
      const next = this.source.charCodeAt(index + 1);
      if (!(next >= 0xfe00 && next <= 0xfe0f)) return;
    } else if (code === 0x200d || code === 0x200c) {
      const previous = this.source.charCodeAt(index - 1);
      if (previous >= 0x590) return;
    } else if ((code === 0x200e || code === 0x200f || code === 0xfeff || code === 0xad) && this.hidden < 3) {
      this.hidden += 0.25;
      return;
    }
    this.hidden++;
    if (code >= 0xfe00 && code <= 0xfe0f) this.smuggle(code - 0xfe00, index);
  }

  private smuggle(byte: number, index: number): void {
    if (this.smuggledAt < 0) this.smuggledAt = index;
    this.smuggled.push(byte);
  }

  /** A code that may be a surrogate, a compatibility form or a combining mark. Returns where to read on. */
  private closer(code: number, index: number): number {
    if (code >= 0xd800 && code <= 0xdfff) {
      const point = this.source.codePointAt(index)!;
      if (point < 0x10000) return index + 1;
      const folded = this.astral(point, index);
      if (folded !== undefined) this.replace(folded, index, index + 2);
      return index + 2;
    }
    // a mark on the letter before: it goes; a letter that exists with it in one piece folds the same way later
    const folded = isLooseMark(code)
      ? ''
      : (digitOf(code) ?? ALWAYS_FOLD.get(code) ?? this.source[index]!.normalize('NFKC'));
    if (folded.length !== 1 || folded.charCodeAt(0) !== code) this.replace(folded, index, index + 1);
    return index + 1;
  }

  /** What a character beyond the basic plane stands for; undefined where it stays. */
  private astral(point: number, index: number): string | undefined {
    if (point >= 0xe0000 && point <= 0xe0fff) {
      this.hidden++;
      if (point >= 0xe0020 && point <= 0xe007e) this.smuggle(point - 0xe0000, index);
      else if (point >= 0xe0100 && point <= 0xe01ef) this.smuggle(point - 0xe0100 + 16, index);
      return '';
    }
    if (point >= 0x1f1e6 && point <= 0x1f1ff) return String.fromCharCode(point - 0x1f1e6 + 97);
    if (point >= 0x1f130 && point <= 0x1f189) return String.fromCharCode(((point - 0x1f130) % 32) + 97);
    if ((point >= 0x1d400 && point <= 0x1d7ff) || (point >= 0x1f100 && point <= 0x1f12f)) {
      return String.fromCodePoint(point).normalize('NFKC');
    }
    return undefined;
  }
}

/**
 * Letters that look Latin become so inside words that mix scripts; lengths stay. A word with a letter that could not pass
 * for a Latin one is a foreign word with a unit or a variable in it, and is left alone.
 */
function foldWords(text: string): { text: string; words: number } {
  let out = '';
  let kept = 0;
  let words = 0;
  let start = -1;
  let scripts = 0;
  for (let i = 0; i <= text.length; i++) {
    const script = i < text.length ? scriptOf(text.charCodeAt(i)) : 0;
    if (script !== 0) {
      if (start < 0) start = i;
      scripts |= script;
      continue;
    }
    if (scripts === (LATIN | CYRILLIC_OR_GREEK)) {
      const folded = foldWord(text, start, i);
      if (folded !== undefined) {
        out += text.slice(kept, start) + folded;
        kept = i;
        words++;
      }
    }
    start = -1;
    scripts = 0;
  }
  return words === 0 ? { text, words } : { text: out + text.slice(kept), words };
}

function foldWord(text: string, start: number, end: number): string | undefined {
  let out = '';
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x370 || code >= 0x600) {
      out += text[i];
      continue;
    }
    const alike = LOOKALIKE[code]!;
    if (alike === 0) return undefined;
    out += String.fromCharCode(alike);
  }
  return out;
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

function scriptOf(code: number): number {
  if (code < 128) return (code | 32) >= 97 && (code | 32) <= 122 ? LATIN : 0;
  if (code >= 0x370 && code < 0x590) return CYRILLIC_OR_GREEK;
  return code >= 0xc0 && code < 0x250 ? LATIN : 0;
}

/** Arabic-Indic, extended Arabic-Indic and Devanagari digits as ASCII ones. */
function digitOf(code: number): string | undefined {
  for (const zero of [0x660, 0x6f0, 0x966]) {
    if (code >= zero && code <= zero + 9) return String.fromCharCode(48 + code - zero);
  }
  return undefined;
}

/** Bytes as text; nothing when they are not readable UTF-8. */
function utf8(bytes: readonly number[]): string {
  if (bytes.length < 4) return '';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
    return /[a-z]{3}|\d{4}/i.test(text) ? text : '';
  } catch {
    return '';
  }
}

/** The range in the original that a range of the cleaned text came from. */
export function originalRange(
  cleaned: CleanText,
  start: number,
  end: number,
): { start: number; end: number } {
  const { map } = cleaned;
  if (map === undefined) return { start, end };
  const from = originalAt(map, start);
  // up to where the next character begins, so that marks and joiners inside go with it
  const until = end > start ? originalAt(map, end) : from;
  return { start: from, end: Math.max(from, until) };
}

function originalAt(map: OffsetMap, index: number): number {
  let low = 0;
  let high = map.cleaned.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (map.cleaned[middle]! <= index) low = middle;
    else high = middle - 1;
  }
  const original = map.original[low]!;
  return map.straight[low]! ? original + Math.max(0, index - map.cleaned[low]!) : original;
}
