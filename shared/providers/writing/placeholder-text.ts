import type { Replacement } from '../../text/index.ts';
import { isJson } from '../reading/text-collector.ts';

/** Where in a response a placeholder stands. */
export interface PlaceholderPosition {
  /** As it was written in the request: `[EMAIL_7K3M9QWX]`. */
  readonly placeholder: string;
  /** Up to 600 characters before it, and the two after it. */
  readonly before: string;
  readonly after: string;
  /** JSON pointer of the string in the body; null in a stream. */
  readonly path: string | null;
  /** In a stream, once it has ended: the arguments of a call that it stands in. */
  readonly callText: string | null;
}

/** The value that stood in its place; null: the placeholder stays. */
export type RestoreValue = (position: PlaceholderPosition) => string | null;

/**
 * A placeholder as models repeat it: in any case, with a backslash before its underscores, with other brackets or none. Eight
 * characters of a digest tell it from every other word.
 */
const SPELLED =
  /(\\?[[{])?(?<![A-Za-z0-9_])([A-Za-z]{2,20}(?:\\{0,2}_[A-Za-z]{2,20}){0,2})\\{0,2}_([0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{8})(?![A-Za-z0-9_])(\\?[\]}])?/g;
/** What may be the beginning of one. */
const MAY_BEGIN = /[A-Za-z0-9_\\[\]{}]/;
/** Longer than every placeholder. */
const MAX_LENGTH = 96;
/** So much after its last letter is known before it is decided. */
const LOOK_AHEAD = 4;
const CONTEXT = 600;
const MAX_BRACKET = 2;
const AFTER = 2;

/** A placeholder in a text, with what was written in its place. */
export interface FoundPlaceholder {
  readonly placeholder: string;
  readonly start: number;
  readonly end: number;
}

/** False only if no string of a JSON source has one. */
export function mayHoldPlaceholder(source: string): boolean {
  return source.search(SPELLED) !== -1 || /\\u00[3-7]/i.test(source);
}

/** Every placeholder from `from` on, in order. */
export function* placeholdersIn(text: string, from = 0): Generator<FoundPlaceholder> {
  const spelled = new RegExp(SPELLED);
  spelled.lastIndex = from;
  for (let match = spelled.exec(text); match !== null; match = spelled.exec(text)) {
    const [whole, opens = '', type, code, closes = ''] = match;
    const isBoth = opens !== '' && closes !== '';
    yield {
      placeholder: `[${type!.replaceAll('\\', '').toUpperCase()}_${code!.toUpperCase()}]`,
      start: match.index + (isBoth ? 0 : opens.length),
      end: match.index + whole.length - (isBoth ? 0 : closes.length),
    };
  }
}

export function positionOf(
  text: string,
  { placeholder, start, end }: FoundPlaceholder,
  rest: Pick<PlaceholderPosition, 'path' | 'callText'>,
): PlaceholderPosition {
  const before = text.slice(Math.max(0, start - CONTEXT), start);
  return { placeholder, before, after: text.slice(end, end + AFTER), ...rest };
}

/** As it stands between the quotes of a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** What a JSON text begins with; a placeholder begins with a letter behind its bracket. */
const MAY_BE_JSON = /^\s*(?:\{|\[(?![A-Z]))/;

/**
 * A text that arrives in pieces, with values put back. What is decided of a piece does not depend on where the text is cut,
 * nor on what follows.
 */
export class PlaceholderText {
  /** In order, with places in the text as it arrived. */
  readonly replacements: Replacement[] = [];
  /** Up to here it is decided what is put back; never within a placeholder. */
  settled = 0;
  private length = 0;
  private readonly restore: RestoreValue;
  private readonly isCall: boolean;
  /** The end of the text, from `base` on. */
  private tail = '';
  private base = 0;
  /** Never read before the text has ended: that would join its pieces again and again. */
  private whole = '';
  private start = '';

  constructor(restore: RestoreValue, isCall: boolean) {
    this.restore = restore;
    this.isCall = isCall;
  }

  /** Returns what was decided since, with values put back. */
  push(piece: string): string {
    if (this.start.length < MAX_LENGTH) this.start = (this.start + piece.slice(0, MAX_LENGTH)).trimStart();
    this.length += piece.length;
    this.tail += piece;
    this.whole += piece;
    if (this.isCall) return '';
    return this.settle(false);
  }

  /** The text has ended. */
  end(): string {
    return this.settle(true);
  }

  private settle(isEnd: boolean): string {
    const from = this.settled;
    const known = this.replacements.length;
    const callText = isEnd && this.isCall ? this.whole : null;
    let until = isEnd ? this.length : this.openFrom();
    let decided = from;
    for (const found of placeholdersIn(this.tail, from - this.base)) {
      const end = this.base + found.end;
      const isKnown = isEnd || end + LOOK_AHEAD <= this.length;
      const value = isKnown ? this.restore(positionOf(this.tail, found, { path: null, callText })) : null;
      const text = value === null ? null : this.spelled(value, isEnd);
      if (!isKnown || (value !== null && text === null)) {
        // its bracket may belong to it
        until = Math.min(until, this.base + found.start - MAX_BRACKET);
        break;
      }
      if (text !== null) this.replacements.push({ start: this.base + found.start, end, text });
      decided = end;
    }
    this.settled = Math.max(decided, until);
    const restored = this.written(from, known);
    this.trim();
    return restored;
  }

  /** As it is written in this text; null: only its end says whether it is JSON. */
  private spelled(value: string, isEnd: boolean): string | null {
    const inJson = escaped(value);
    if (inJson === value || !MAY_BE_JSON.test(this.start)) return value;
    if (!isEnd) return null;
    return isJson(this.whole) ? inJson : value;
  }

  /** Where the last word begins, which what follows may make a placeholder. */
  private openFrom(): number {
    const { tail, base } = this;
    const least = Math.max(0, tail.length - MAX_LENGTH);
    let at = tail.length;
    while (at > least && MAY_BEGIN.test(tail[at - 1]!)) at--;
    return base + at;
  }

  private written(from: number, known: number): string {
    let text = '';
    let at = from;
    for (const { start, end, text: value } of this.replacements.slice(known)) {
      text += this.tail.slice(at - this.base, start - this.base) + value;
      at = end;
    }
    return text + this.tail.slice(at - this.base, this.settled - this.base);
  }

  private trim(): void {
    const needless = this.settled - this.base - CONTEXT;
    if (needless < 2 * CONTEXT) return;
    this.tail = this.tail.slice(needless);
    this.base += needless;
  }

  /** Of a piece that begins at `start`: what changes in it. The first piece of a placeholder gets the value. */
  changesOf(start: number, length: number): Replacement[] {
    const { replacements } = this;
    const end = start + length;
    const changes: Replacement[] = [];
    for (let at = firstBehind(replacements, start); at < replacements.length; at++) {
      const one = replacements[at]!;
      if (one.start >= end) break;
      const text = one.start >= start ? one.text : '';
      changes.push({ start: Math.max(0, one.start - start), end: Math.min(length, one.end - start), text });
    }
    return changes;
  }
}

/** The first that ends behind this place. */
function firstBehind(replacements: readonly Replacement[], place: number): number {
  let low = 0;
  let high = replacements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (replacements[middle]!.end > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
