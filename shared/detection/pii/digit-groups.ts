import { CHAR_CLASS, NUMBER_GAP } from './char-class.ts';

const MAX_WINDOW = 40;
const MAX_GROUPS = 12;
const MAX_DIGITS = 64;

/** Groups of digits with one or two marks between them. Filled again for every number, so that reading allocates nothing. */
export class DigitGroups {
  text = '';
  count = 0;
  /** Digits in all groups. */
  digits = 0;
  readonly start = new Int32Array(MAX_GROUPS);
  readonly end = new Int32Array(MAX_GROUPS);
  /** The digits by themselves; those of a group begin at `at`. Longer runs than any number of interest are cut. */
  readonly values = new Uint8Array(MAX_DIGITS);
  readonly at = new Int32Array(MAX_GROUPS);

  /** Reads the groups that begin with the digit at `at`; `codes` are those of `text`. */
  read(text: string, codes: Uint16Array, at: number): void {
    this.text = text;
    this.count = 0;
    this.digits = 0;
    let index = at;
    while (this.count < MAX_GROUPS) {
      const start = index;
      this.at[this.count] = this.digits;
      for (; isDigit(codes[index]!); index++) {
        if (this.digits < MAX_DIGITS) this.values[this.digits] = codes[index]! - 48;
        this.digits++;
      }
      if (index === start) return;
      this.start[this.count] = start;
      this.end[this.count++] = index;
      if (index - at > MAX_WINDOW) return;
      const gap = index;
      while (index - gap < 3 && isGap(codes[index]!)) index++;
      if (index === gap || index - gap > 2) return;
    }
  }

  size(index: number): number {
    return this.end[index]! - this.start[index]!;
  }

  /** What stands before a group, with plain blanks and hyphens; empty before the first and behind the last. */
  gap(index: number): string {
    if (index < 1 || index >= this.count) return '';
    const from = this.end[index - 1]!;
    const to = this.start[index]!;
    const first = plain(this.text[from]!);
    return to - from === 1 ? first : first + plain(this.text[from + 1]!);
  }

  /** The digits of the groups from `first` to `last`, without what stands between them. */
  join(first: number, last: number): string {
    let digits = '';
    for (let i = first; i <= last; i++) digits += this.text.slice(this.start[i]!, this.end[i]!);
    return digits;
  }
}

/** A mark as the ASCII one it stands for. */
function plain(mark: string): string {
  const code = mark.charCodeAt(0);
  if (code < 128) return mark;
  return code === 0xa0 || code === 0x2009 || code === 0x202f ? ' ' : '-';
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isGap(code: number): boolean {
  if (code < 128) return (CHAR_CLASS[code]! & NUMBER_GAP) !== 0;
  // no-break and thin spaces, hyphens and dashes
  return (
    code === 0xa0 ||
    code === 0x2009 ||
    code === 0x202f ||
    (code >= 0x2010 && code <= 0x2015) ||
    code === 0x2212
  );
}
