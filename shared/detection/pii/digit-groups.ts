import { CHAR_CLASS, HEX, LETTER, NUMBER_GAP } from './char-class.ts';

/** The maximum length of a number and the next one, with which it could be confused. */
const MAX_WINDOW = 48;
const MAX_GROUPS = 12;
const MAX_DIGITS = 64;

/** Groups of digits separated by one or two marks. Filled again for every number, so that reading allocates nothing. */
export class DigitGroups {
  text = '';
  count = 0;
  /** The number of digits in all groups. */
  digits = 0;
  readonly start = new Int32Array(MAX_GROUPS);
  readonly end = new Int32Array(MAX_GROUPS);
  /** The digits of all groups; those of a group begin at `at`. Longer runs than any number of interest are cut. */
  readonly values = new Uint8Array(MAX_DIGITS);
  readonly at = new Uint8Array(MAX_GROUPS);

  /** Reads the groups that begin with the digit at `from`; `codes` are those of `text`. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the digits, for every number of a text
  read(text: string, codes: Uint16Array, from: number): void {
    const { start, end, values, at: firsts } = this;
    let count = 0;
    let digits = 0;
    let index = from;
    for (;;) {
      const first = index;
      firsts[count] = digits;
      for (let code = codes[index]!; isDigit(code); code = codes[++index]!) {
        if (digits < MAX_DIGITS) values[digits] = code - 48;
        digits++;
      }
      if (index === first) break;
      start[count] = first;
      end[count++] = index;
      if (index - from > MAX_WINDOW || count === MAX_GROUPS) break;
      if (IS_GAP[codes[index]!] === 0) break;
      index++;
      if (IS_GAP[codes[index]!] !== 0 && IS_GAP[codes[++index]!] !== 0) break;
    }
    this.text = text;
    this.count = count;
    this.digits = digits;
  }

  /**
   * Drops the last group if it may be the beginning of something else: the IPv6 address of `41418899 2001:db8::1`, the
   * word of `41418899 3rd`. Returns false if it stays.
   */
  dropLast(codes: Uint16Array): boolean {
    const last = this.count - 1;
    if (last < 1 || !beginsAnother(codes, this.start[last]!, this.end[last]!)) return false;
    this.digits = this.at[last]!;
    this.count = last;
    return true;
  }

  size(index: number): number {
    return this.end[index]! - this.start[index]!;
  }

  /**
   * Returns the separator before a group, with plain spaces and hyphens; empty before the first and after the last
   * group.
   */
  gap(index: number): string {
    if (index < 1 || index >= this.count) return '';
    const from = this.end[index - 1]!;
    const to = this.start[index]!;
    const first = plain(this.text[from]!);
    return to - from === 1 ? first : first + plain(this.text[from + 1]!);
  }

  /** Returns the digits of the groups from `first` to `last`, without separators. */
  join(first: number, last: number): string {
    let digits = '';
    for (let i = first; i <= last; i++) digits += this.text.slice(this.start[i]!, this.end[i]!);
    return digits;
  }
}

/**
 * True if digits after a gap are the beginning of something else. Letters after a hyphen are not a word: the number is
 * then part of an identifier, or of a row of bytes.
 */
function beginsAnother(codes: Uint16Array, start: number, end: number): boolean {
  const before = codes[start - 1]!;
  const isApart = before !== HYPHEN && before !== DOT && before !== SLASH;
  if (isApart && isLetter(codes[end]!) && !isByte(codes, start, end)) return true;
  // the first two groups of an IPv6 address
  let at = end;
  while (at - start < 4 && isHex(codes[at]!)) at++;
  if (codes[at] !== COLON) return false;
  const second = ++at;
  while (at - second < 4 && isHex(codes[at]!)) at++;
  return codes[at] === COLON;
}

const HYPHEN = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;

/** True for one digit and a hex letter, as in a dump. */
function isByte(codes: Uint16Array, start: number, end: number): boolean {
  return end - start === 1 && isHex(codes[end]!) && !isLetter(codes[end + 1]!) && !isDigit(codes[end + 1]!);
}

function isHex(code: number): boolean {
  return code < 128 && (CHAR_CLASS[code]! & HEX) !== 0;
}

function isLetter(code: number): boolean {
  return code < 128 && (CHAR_CLASS[code]! & LETTER) !== 0;
}

/** Returns the ASCII mark for a mark. */
function plain(mark: string): string {
  const code = mark.charCodeAt(0);
  if (code < 128) return mark;
  return isBlank(code) ? ' ' : '-';
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** True for spaces beyond ASCII: no-break and fixed-width ones. */
function isBlank(code: number): boolean {
  return (
    code === 0xa0 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** 1 for characters that may separate two groups. */
const IS_GAP = Uint8Array.from({ length: 65_536 }, (_, code) => {
  if (code < 128) return Number((CHAR_CLASS[code]! & NUMBER_GAP) !== 0);
  return Number(isBlank(code) || (code >= 0x2010 && code <= 0x2015) || code === 0x2212);
});
