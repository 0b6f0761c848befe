import { finish, isJsonInSteps, type Replacement, type Steps } from '../text/index.ts';
import { goingOn, MAX_GOING_ON } from './address-reader.ts';
import { PlaceReader } from './place-reader.ts';
import { stringsIn } from './strings-in.ts';

/** The position of a placeholder in a response. */
export interface PlaceholderPosition {
  /** As in the request: `[EMAIL_7K3M9QWX]`. */
  readonly placeholder: string;
  /** True if a client may render it as part of an address. */
  readonly isInAddress: boolean;
  /** JSON pointer of the string in the body; null in a stream. */
  readonly path: string | null;
  /** In a stream, once it has ended: the arguments of the call that contain it. */
  readonly callText: string | null;
}

/** Returns the original value; null: the placeholder stays. */
export type RestoreValue = (position: PlaceholderPosition) => string | null;

/**
 * A placeholder as models may repeat it: in any case, with a backslash before underscores, with other brackets or none.
 * The eight characters of the digest distinguish it from every other word.
 */
const SPELLED =
  /(\\?[[{])?(?<![A-Za-z0-9_])([A-Za-z]{2,20}(?:\\{0,2}_[A-Za-z]{2,20}){0,2})\\{0,2}_([0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{8})(?![A-Za-z0-9_])(\\?[\]}])?/g;
/** Characters with which one may begin. */
const MAY_BEGIN = /[A-Za-z0-9_\\[\]{}]/;
/** Longer than any placeholder. */
const MAX_LENGTH = 96;
const MAX_BRACKET = 2;
/** Decided text is dropped in parts of this length. */
const KEPT = 1_000;

/** A placeholder in a text, in the form that is replaced. */
export interface FoundPlaceholder {
  readonly placeholder: string;
  readonly start: number;
  readonly end: number;
}

/** Returns false only if no string of a JSON source contains one. */
export function mayContainPlaceholder(source: string): boolean {
  return source.search(SPELLED) !== -1 || /\\u00[3-7]/i.test(source);
}

/** Yields every placeholder from `from` on, in order. */
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

/** Escapes a text for a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Start of a JSON text; in a placeholder a letter follows the bracket. */
const MAY_BE_JSON = /^\s*(?:\{|\[(?![A-Z]))/;

/**
 * A text that arrives in pieces, with values restored. The decision on a piece depends neither on where the text is
 * cut, nor on later text.
 */
export class PlaceholderText {
  /** In order, with offsets in the text as it arrived. */
  readonly replacements: Replacement[] = [];
  /** Offset up to which replacements are decided; never within a placeholder. */
  settled = 0;
  private length = 0;
  private readonly restore: RestoreValue;
  private readonly isCall: boolean;
  private places = new PlaceReader();
  /** The end of the text, from `base` on. */
  private tail = '';
  private base = 0;
  /** Not read before the text has ended, because each read would join its pieces again. */
  private whole = '';
  private start = '';
  private isJson: boolean | undefined;

  constructor(restore: RestoreValue, isCall: boolean) {
    this.restore = restore;
    this.isCall = isCall;
  }

  /** Returns the text that was decided since the last call, with values restored. */
  push(piece: string): string {
    if (this.start.length < MAX_LENGTH) this.start = (this.start + piece.slice(0, MAX_LENGTH)).trimStart();
    this.length += piece.length;
    this.tail += piece;
    this.whole += piece;
    if (this.isCall) return '';
    return finish(this.settle(false));
  }

  /** Ends the text. */
  *end(): Steps<string> {
    return yield* this.settle(true);
  }

  private *settle(isEnd: boolean): Steps<string> {
    const from = this.settled;
    const known = this.replacements.length;
    const callText = isEnd && this.isCall ? this.whole : null;
    if (callText !== null && (yield* this.isWholeJson()))
      this.places = new PlaceReader(yield* stringsIn(callText));
    let until = isEnd ? this.length : this.openFrom();
    let decided = from;
    for (const found of placeholdersIn(this.tail, from - this.base)) {
      const shown = yield* this.shownFor(found, isEnd, callText);
      if (shown === null) {
        // Its bracket may belong to it.
        until = Math.min(until, this.base + found.start - MAX_BRACKET);
        break;
      }
      decided = this.base + found.end;
      this.places.pass(shown, decided);
      yield;
    }
    this.settled = Math.max(decided, until);
    if (callText === null) this.places.readTo(this.tail, this.settled, this.base);
    const restored = this.written(from, known);
    this.trim();
    return restored;
  }

  /** Returns what is shown in the place of a placeholder; null: that is not known yet. */
  private *shownFor(found: FoundPlaceholder, isEnd: boolean, callText: string | null): Steps<string | null> {
    if (!isEnd && !this.isAfterKnown(found.end)) return null;
    const value = this.valueOf(found, callText);
    if (value === null) return this.tail.slice(found.start, found.end);
    const text = yield* this.spelled(value, isEnd);
    if (text === null) return null;
    this.replacements.push({ start: this.base + found.start, end: this.base + found.end, text });
    return value;
  }

  private valueOf(found: FoundPlaceholder, callText: string | null): string | null {
    const isInAddress = this.places.isInAddress(this.tail, found, this.base);
    return this.restore({ placeholder: found.placeholder, isInAddress, path: null, callText });
  }

  /** True if the end of what may go on an address is known. */
  private isAfterKnown(end: number): boolean {
    const after = goingOn(this.tail.slice(end, end + MAX_GOING_ON));
    return after.length >= MAX_GOING_ON || end + after.length < this.tail.length;
  }

  /** Returns the value as written in this text; null: only the end shows whether it is JSON. */
  private *spelled(value: string, isEnd: boolean): Steps<string | null> {
    const inJson = escaped(value);
    if (inJson === value || !MAY_BE_JSON.test(this.start)) return value;
    if (!isEnd) return null;
    return (yield* this.isWholeJson()) ? inJson : value;
  }

  /** Asked once the text has ended. */
  private *isWholeJson(): Steps<boolean> {
    this.isJson ??= yield* isJsonInSteps(this.whole);
    return this.isJson;
  }

  /** Returns the offset of the last word, which may become a placeholder with later text. */
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
    const needless = this.settled - this.base;
    if (needless < KEPT) return;
    this.tail = this.tail.slice(needless);
    this.base += needless;
  }

  /** Returns the changes of a piece that begins at `start`. The first piece of a placeholder gets the value. */
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

/** Returns the first that ends after this offset. */
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
