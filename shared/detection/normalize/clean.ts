import { ALWAYS_FOLD, CARE, DROP, LOOKALIKE, PLAIN } from './tables.ts';

/** Text as it is read: without what cannot be seen, in one spelling. `map` is absent where nothing changed. */
export interface CleanText {
  readonly text: string;
  /** For every UTF-16 index of `text` (and one past its end) the index in the original. */
  readonly map?: Int32Array;
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
  let care = 0;
  let scripts = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) {
      if ((code | 32) >= 97 && (code | 32) <= 122) scripts |= LATIN;
      continue;
    }
    care |= CARE[code]!;
    if (code >= 0x370 && code < 0x590) scripts |= CYRILLIC_OR_GREEK;
  }
  if (care === PLAIN && scripts !== (LATIN | CYRILLIC_OR_GREEK)) {
    return { text, hidden: 0, mixed: 0, smuggled: '', smuggledAt: 0 };
  }
  return new Cleaner(text).run();
}

class Cleaner {
  private readonly source: string;
  private readonly parts: string[] = [];
  private codes: Uint16Array;
  private map: Int32Array;
  private length = 0;
  private hidden = 0;
  private mixed = 0;
  private smuggled: number[] = [];
  private smuggledAt = -1;
  private changed = false;

  constructor(source: string) {
    this.source = source;
    this.codes = new Uint16Array(source.length + 16);
    this.map = new Int32Array(source.length + 17);
  }

  run(): CleanText {
    const { source } = this;
    let wordStart = -1;
    let wordScripts = 0;
    let index = 0;
    while (index < source.length) {
      const code = source.charCodeAt(index);
      const care = code < 128 ? PLAIN : CARE[code]!;
      const at = this.length;
      if (care === PLAIN) {
        this.put(code, index);
        index++;
      } else if (care === DROP) {
        this.drop(code, index);
        index++;
        continue;
      } else index = this.closer(code, index);
      for (let i = at; i < this.length; i++) {
        const written = this.codes[i]!;
        const script = scriptOf(written);
        if (script === 0) {
          if (wordScripts === (LATIN | CYRILLIC_OR_GREEK)) this.foldWord(wordStart, i);
          wordStart = -1;
          wordScripts = 0;
        } else {
          if (wordStart < 0) wordStart = i;
          wordScripts |= script;
        }
      }
    }
    if (wordScripts === (LATIN | CYRILLIC_OR_GREEK)) this.foldWord(wordStart, this.length);
    const smuggled = utf8(this.smuggled);
    if (!this.changed && smuggled === '') {
      return { text: source, hidden: this.hidden, mixed: 0, smuggled: '', smuggledAt: 0 };
    }
    this.map[this.length] = source.length;
    return {
      text: this.joined(),
      map: this.map.subarray(0, this.length + 1),
      hidden: this.hidden,
      mixed: this.mixed,
      smuggled,
      smuggledAt: Math.max(0, this.smuggledAt),
    };
  }

  private put(code: number, from: number): void {
    if (this.length + 1 >= this.codes.length) {
      const codes = new Uint16Array(this.codes.length * 2);
      codes.set(this.codes);
      this.codes = codes;
      const map = new Int32Array(codes.length + 1);
      map.set(this.map);
      this.map = map;
    }
    this.codes[this.length] = code;
    this.map[this.length] = from;
    this.length++;
  }

  private putAll(text: string, from: number): void {
    for (let i = 0; i < text.length; i++) this.put(text.charCodeAt(i), from);
    this.changed = true;
  }

  private drop(code: number, index: number): void {
    this.changed = true;
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
    const { source } = this;
    if (code >= 0xd800 && code <= 0xdfff) {
      const point = source.codePointAt(index)!;
      if (point < 0x10000) {
        this.put(code, index);
        return index + 1;
      }
      this.astral(point, index);
      return index + 2;
    }
    if (isLooseMark(code)) {
      // a mark on the letter before: it goes; a letter that exists with it in one piece folds the same way later
      this.changed = true;
      return index + 1;
    }
    const digit = digitOf(code);
    const folded = digit ?? ALWAYS_FOLD.get(code) ?? source[index]!.normalize('NFKC');
    if (folded.length === 1 && folded.charCodeAt(0) === code) this.put(code, index);
    else this.putAll(folded, index);
    return index + 1;
  }

  private astral(point: number, index: number): void {
    if (point >= 0xe0020 && point <= 0xe007e) {
      this.changed = true;
      this.hidden++;
      this.smuggle(point - 0xe0000, index);
      return;
    }
    if (point >= 0xe0100 && point <= 0xe01ef) {
      this.changed = true;
      this.hidden++;
      this.smuggle(point - 0xe0100 + 16, index);
      return;
    }
    if (point >= 0xe0000 && point <= 0xe0fff) {
      this.changed = true;
      this.hidden++;
      return;
    }
    if (point >= 0x1f1e6 && point <= 0x1f1ff) {
      // flags are pairs; three and more in a row spell something
      this.putAll(String.fromCharCode(point - 0x1f1e6 + 97), index);
      return;
    }
    if (point >= 0x1f130 && point <= 0x1f189) {
      this.putAll(String.fromCharCode(((point - 0x1f130) % 32) + 97), index);
      return;
    }
    const written = String.fromCodePoint(point);
    const folded =
      (point >= 0x1d400 && point <= 0x1d7ff) || (point >= 0x1f100 && point <= 0x1f12f)
        ? written.normalize('NFKC')
        : written;
    if (folded !== written) this.putAll(folded, index);
    else {
      this.put(written.charCodeAt(0), index);
      this.put(written.charCodeAt(1), index);
    }
  }

  private foldWord(start: number, end: number): void {
    let foreign = 0;
    for (let i = start; i < end; i++) if (this.codes[i]! >= 0x370) foreign++;
    // a word of another script with a Latin letter or two (a unit, a variable) is left alone when most cannot pass for Latin
    for (let i = start; i < end; i++) {
      const code = this.codes[i]!;
      if (code >= 0x370 && code < 0x600 && LOOKALIKE[code] === 0) foreign = -1000;
    }
    if (foreign < 1) return;
    for (let i = start; i < end; i++) {
      const code = this.codes[i]!;
      if (code >= 0x370 && code < 0x600) this.codes[i] = LOOKALIKE[code]!;
    }
    this.mixed++;
    this.changed = true;
  }

  private joined(): string {
    for (let i = 0; i < this.length; i += 8192) {
      this.parts.push(String.fromCharCode(...this.codes.subarray(i, Math.min(this.length, i + 8192))));
    }
    return this.parts.join('');
  }
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
  if (cleaned.map === undefined) return { start, end };
  const last = cleaned.map.length - 1;
  const from = cleaned.map[Math.min(start, last)]!;
  // up to where the next character begins, so that marks and joiners inside go with it
  const until = end > start ? cleaned.map[Math.min(end, last)]! : from;
  return { start: from, end: Math.max(from, until) };
}
