import { AddressReader, goingOn, isAddressMember, MAX_GOING_ON } from './address-reader.ts';
import type { StringIn } from './strings-in.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Tells of the placeholders of a text, in their order, whether they are in an address. Reads the text once. */
export class PlaceReader {
  private reader = new AddressReader();
  private readonly strings: readonly StringIn[] | null;
  private next = 0;
  /** Offset up to which the text was read. */
  private at = 0;

  /** `strings`: those of the text, if it is JSON; each is a text of its own. */
  constructor(strings: readonly StringIn[] | null = null) {
    this.strings = strings;
  }

  /** `base`: the offset at which `text` begins. */
  isInAddress(text: string, { start, end }: Range, base = 0): boolean {
    const string = this.stringAt(base + start);
    this.readTo(text, base + start, base);
    const last = string === undefined ? text.length : string.offset + string.length - 1 - base;
    const after = this.decoded(text.slice(end, Math.min(last, end + MAX_GOING_ON)));
    return isAddressMember(string?.path ?? '') || this.reader.isInAddress(goingOn(after));
  }

  /** What a client renders in the place of the placeholder that ends there. */
  pass(shown: string, end: number): void {
    this.reader.read(shown);
    this.at = Math.max(this.at, end);
  }

  readTo(text: string, until: number, base = 0): void {
    if (until <= this.at) return;
    this.reader.read(this.decoded(text.slice(this.at - base, until - base)));
    this.at = until;
  }

  /** Decodes a part of a string of JSON. */
  private decoded(part: string): string {
    if (this.strings === null) return part;
    try {
      return JSON.parse(`"${part}"`) as string;
    } catch {
      // It is cut within an escape.
      return part.replace(/\\[bfnrt]/g, ' ');
    }
  }

  private stringAt(place: number): StringIn | undefined {
    const { strings, next } = this;
    if (strings === null) return undefined;
    while (this.next < strings.length - 1 && strings[this.next + 1]!.offset <= place) this.next++;
    const string = strings[this.next];
    if (string !== undefined && (this.next !== next || this.at <= string.offset)) {
      this.reader = new AddressReader();
      this.at = Math.max(this.at, string.offset + 1);
    }
    return string;
  }
}
