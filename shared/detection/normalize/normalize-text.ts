import { TEXT } from '../operating-points/texts.ts';
import { isAscii, stringOf, type Text } from '../read/codes.ts';
import type { Workspace } from '../workspace.ts';
import { foldAstral, foldCode, foldedLong, isInvisibleAstral, isSurrogate } from './fold-code.ts';
import { CYRILLIC_OR_GREEK, foldWords, LATIN, scriptOf } from './fold-words.ts';
import { OffsetMap } from './offset-map.ts';
import { CARE, DROP, PLAIN } from './tables.ts';

/**
 * The text as the engine reads it: without invisible characters, in one spelling. `map` is absent if nothing changed.
 */
export interface NormalizedText {
  readonly text: string;
  readonly map?: OffsetMap;
  /**
   * The number of dropped invisible characters that normal writing does not contain: zero-width, direction, tags,
   * fillers.
   */
  readonly hidden: number;
  /** The number of words that mixed scripts to look like Latin ones. */
  readonly mixed: number;
  /** Text in tag characters or variation selectors, decoded; empty if there is none. */
  readonly smuggled: string;
  /** Offset of the smuggled text in the original. */
  readonly smuggledAt: number;
  readonly smuggledEnd: number;
  /** Ranges of `text` that a direction mark displays in reverse. */
  readonly turned: readonly (readonly [number, number])[];
}

const RIGHT_TO_LEFT_OVERRIDE = 0x202e;
const POP_DIRECTION = 0x202c;
const NEEDS_CARE = 3;
const FOREIGN = 4;
const LATIN_LETTER = 8;
/** Two adjacent letters are of different scripts. */
const MIXED = 16;
const BESIDE = 8;
/** What a code requires of `clean`, as bits; the bits above them are the script that must not be next to it. */
const LOOK = Uint16Array.from(CARE, (care, code) => {
  const script = scriptOf(code);
  if (script === CYRILLIC_OR_GREEK) return care | FOREIGN | (LATIN_LETTER << BESIDE);
  return script === LATIN ? care | LATIN_LETTER | (FOREIGN << BESIDE) : care;
});

const NONE_TURNED: NormalizedText['turned'] = [];

/** The text of nearly every slot. */
function unchanged(text: string): NormalizedText {
  return { text, hidden: 0, mixed: 0, smuggled: '', smuggledAt: 0, smuggledEnd: 0, turned: NONE_TURNED };
}

/**
 * Cleans a text. One check of every code decides whether there is anything to do; most texts are returned unchanged.
 */
export function normalizeText(text: string, workspace: Workspace): NormalizedText {
  return isAscii(text) ? unchanged(text) : workspace.withText(text, cleanCodes);
}

function cleanCodes({ string, codes }: Text): NormalizedText {
  const seen = lookAt(codes, string.length);
  const foreign = (seen & FOREIGN) !== 0;
  if ((seen & (NEEDS_CARE | MIXED)) === 0) return unchanged(string);
  return new Cleaner(string, codes).run(foreign);
}

/** The number of codes per call: V8 discards its optimized code for one long loop when the loop ends. */
const STRETCH = 1_024;

/** Returns the combined requirements of all codes. */
function lookAt(codes: Uint16Array, length: number): number {
  let seen = lookAtStretch(codes, 0, Math.min(length, STRETCH));
  // Each chunk begins with the last code of the one before, so that adjacent letters at the boundary are compared.
  for (let from = STRETCH; from < length; from += STRETCH)
    seen |= lookAtStretch(codes, from - 1, Math.min(length, from + STRETCH));
  return seen;
}

function lookAtStretch(codes: Uint16Array, from: number, to: number): number {
  let seen = 0;
  let beside = 0;
  let before = 0;
  let i = from;
  // Unrolled by four, because the loop overhead exceeds the work.
  for (const last = to - 3; i < last; i += 4) {
    const one = LOOK[codes[i]!]!;
    const two = LOOK[codes[i + 1]!]!;
    const three = LOOK[codes[i + 2]!]!;
    const four = LOOK[codes[i + 3]!]!;
    seen |= one | two | three | four;
    beside |= ((before >> BESIDE) & one) | ((one >> BESIDE) & two);
    beside |= ((two >> BESIDE) & three) | ((three >> BESIDE) & four);
    before = four;
  }
  for (; i < to; i++) {
    const now = LOOK[codes[i]!]!;
    seen |= now;
    beside |= (before >> BESIDE) & now;
    before = now;
  }
  return (seen & 0xff) | (beside === 0 ? 0 : MIXED);
}

/** Rewrites the text code by code; the map gets an entry wherever offsets shift. */
class Cleaner {
  private readonly source: string;
  private readonly codes: Uint16Array;
  private out: Uint16Array;
  private length = 0;
  private readonly map = new OffsetMap();
  /** The original's lead in the last map entry; NaN if a new entry is required. */
  private ahead = 0;
  private hidden = 0;
  private changed = false;
  private readonly smuggled: number[] = [];
  private smuggledAt = -1;
  private smuggledEnd = 0;
  private readonly turned: [number, number][] = [];
  private turnedFrom = -1;

  constructor(source: string, codes: Uint16Array) {
    this.source = source;
    this.codes = codes;
    this.out = new Uint16Array(source.length);
    this.map.add(0, 0, true);
  }

  run(foldMixed: boolean): NormalizedText {
    const { source, codes } = this;
    const { length } = source;
    for (let index = 0; index < length; ) {
      const code = codes[index]!;
      const care = code < 128 ? PLAIN : CARE[code]!;
      if (care === PLAIN) this.put(code, index++);
      else if (care === DROP) this.drop(code, index++);
      else if (isSurrogate(code)) index = this.surrogate(index);
      else this.fold(code, index++);
    }
    this.endTurn();
    const changed = this.changed || this.length !== length;
    const joined = changed ? stringOf(this.out, this.length) : source;
    const folded = foldMixed ? foldWords(joined) : { text: joined, words: 0 };
    if (changed) this.map.add(this.length, length, true);
    return {
      text: folded.text,
      ...(changed ? { map: this.map } : {}),
      hidden: this.hidden,
      mixed: folded.words,
      smuggled: utf8(this.smuggled),
      smuggledAt: Math.max(0, this.smuggledAt),
      smuggledEnd: this.smuggledEnd,
      turned: this.turned,
    };
  }

  private put(code: number, index: number): void {
    if (index - this.length !== this.ahead) {
      this.ahead = index - this.length;
      this.map.add(this.length, index, true);
    }
    this.out[this.length++] = code;
  }

  private fold(code: number, index: number): void {
    const folded = foldCode(code);
    if (folded !== code) this.changed = true;
    if (folded !== 0) this.put(folded, index);
    else this.putAll(foldedLong(code), index);
  }

  /** Writes no code or several codes for one character. */
  private putAll(text: string, index: number): void {
    if (text === '') return;
    this.map.add(this.length, index, false);
    this.ahead = Number.NaN;
    if (this.length + text.length + this.source.length - index > this.out.length) this.grow();
    for (let i = 0; i < text.length; i++) this.out[this.length++] = text.charCodeAt(i);
  }

  private grow(): void {
    const wider = new Uint16Array(this.out.length * 2 + 64);
    wider.set(this.out);
    this.out = wider;
  }

  private endTurn(): void {
    if (this.turnedFrom >= 0 && this.length > this.turnedFrom)
      this.turned.push([this.turnedFrom, this.length]);
    this.turnedFrom = -1;
  }

  private drop(code: number, index: number): void {
    if (code === RIGHT_TO_LEFT_OVERRIDE || code === POP_DIRECTION) {
      this.endTurn();
      if (code === RIGHT_TO_LEFT_OVERRIDE) this.turnedFrom = this.length;
    }
    if (this.hidesNothing(code, index)) return;
    if ((code === 0x200e || code === 0x200f || code === 0xfeff || code === 0xad) && this.hidden < 3) {
      this.hidden += TEXT.harmlessMark;
      return;
    }
    this.hidden++;
    if (code >= 0xfe00 && code <= 0xfe0f) this.smuggle(code - 0xfe00, index);
  }

  /** True for an emoji's own selector and joiner, and for marks that Arabic, Persian and Indic scripts need. */
  private hidesNothing(code: number, index: number): boolean {
    if (code === 0xfe0f || code === 0xfe0e) {
      const next = this.codes[index + 1]!;
      return !(next >= 0xfe00 && next <= 0xfe0f);
    }
    return (code === 0x200d || code === 0x200c) && index > 0 && this.codes[index - 1]! >= 0x590;
  }

  private smuggle(byte: number, index: number): void {
    if (this.smuggledAt < 0) this.smuggledAt = index;
    this.smuggled.push(byte);
    this.smuggledEnd = index + (this.codes[index]! >= 0xd800 && this.codes[index]! <= 0xdfff ? 2 : 1);
  }

  /** Handles a surrogate. Returns the index to continue at. */
  private surrogate(index: number): number {
    const half = this.codes[index]!;
    const point = pointOf(half, this.codes[index + 1]!);
    if (point === null) {
      this.put(half, index);
      return index + 1;
    }
    if (point >= 0xe0000 && point <= 0xe0fff) {
      this.hidden++;
      if (point >= 0xe0020 && point <= 0xe007e) this.smuggle(point - 0xe0000, index);
      else if (point >= 0xe0100 && point <= 0xe01ef) this.smuggle(point - 0xe0100 + 16, index);
      return index + 2;
    }
    if (isInvisibleAstral(point)) {
      this.hidden++;
      return index + 2;
    }
    const folded = foldAstral(point);
    if (folded === '') {
      this.put(this.codes[index]!, index);
      this.put(this.codes[index + 1]!, index + 1);
    } else {
      this.changed = true;
      this.putAll(folded, index);
    }
    return index + 2;
  }
}

/**
 * Returns the code point of two surrogates; null if they are not a pair. V8's own codePointAt, once optimized, has read
 * beyond the end of a text that was cut from a longer one.
 */
function pointOf(high: number, low: number): number | null {
  const isPair = (high & 0xfc00) === 0xd800 && (low & 0xfc00) === 0xdc00;
  return isPair ? ((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000 : null;
}

/** Decodes bytes to text; empty if they are not readable UTF-8. */
function utf8(bytes: readonly number[]): string {
  if (bytes.length < 4) return '';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
    return /[a-z]{3}|\d{4}/i.test(text) ? text : '';
  } catch {
    return '';
  }
}

/** Maps a range of the cleaned text to its range in the original. */
export function originalRange(
  cleaned: NormalizedText,
  start: number,
  end: number,
): { start: number; end: number } {
  const { map } = cleaned;
  if (map === undefined) return { start, end };
  const from = map.originalAt(start);
  // Up to the next character, so that marks and joiners inside are included.
  const until = end > start ? map.originalAt(end) : from;
  return { start: from, end: Math.max(from, until) };
}
