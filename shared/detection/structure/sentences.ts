import type { Text } from '../read/codes.ts';
import { KIND_LINK, type TokenizedText } from '../read/tokenized-text.ts';
import { MAX_OPEN, readRoles, type SentenceRoles } from './role-table.ts';

/** Symbols below are meanings of the lexicon of attacks. */
const TYPE = 100;
const MARK = 112;
export const SYMBOLS = 128;

/** Marks in a sentence, and where it stands. */
const LINK = MARK;
const SHORT = MARK + 1;
const LONG = MARK + 2;
const AT = MARK + 3;
const QUOTE = MARK + 4;
const LOUD = MARK + 5;
const LABEL = MARK + 6;
const DIGIT = MARK + 7;
const SHOUT = MARK + 8;
const CODE = MARK + 9;
const QUOTED = MARK + 10;
const COMMENT = MARK + 11;
const OPENED = MARK + 12;
const CELL = MARK + 13;
const ITEM = MARK + 14;
const FEW_WORDS = 6;
const MANY_WORDS = 24;
/** A label ends at a colon among the first characters. */
const MAX_LABEL = 50;
/** So many capitals in a row are loud. */
const CAPITALS = 4;

/** By ASCII code, the mark that a character is. */
const MARK_OF = new Uint8Array(128);
for (const [mark, characters] of [
  [AT, '@'],
  [QUOTE, '"`'],
  [SHOUT, '!'],
  [DIGIT, '0123456789'],
  [CODE, '_/\\(){}=<>'],
] as const)
  for (const character of characters) MARK_OF[character.charCodeAt(0)] = mark;
const BEFORE = new Uint8Array(128);
for (const [mark, characters] of [
  [QUOTED, '"`'],
  [COMMENT, '/#;'],
  [OPENED, '[<({'],
  [CELL, '|\t:,'],
  [ITEM, '-*.)'],
] as const)
  for (const character of characters) BEFORE[character.charCodeAt(0)] = mark;
const SPACE = 32;
const COLON = 58;
const WIDE_COLON = 0xff1a;
const WIDE_QUOTES: ReadonlySet<number> = new Set([...'«»“”„'].map((mark) => mark.charCodeAt(0)));
const LINE = 10;
const MAX_BLANKS = 4;

/** Reads sentences of a text, each once. */
export class SentenceMemory {
  private readonly roles = new Map<number, SentenceRoles>();
  private readonly symbols = new Map<number, readonly number[]>();
  private readonly open = new Int32Array(MAX_OPEN);
  private readonly seen = new Uint8Array(SYMBOLS);
  private readonly text: Text;
  private readonly reading: TokenizedText;

  constructor(text: Text, reading: TokenizedText) {
    this.text = text;
    this.reading = reading;
  }

  rolesOf(unit: number): SentenceRoles {
    let roles = this.roles.get(unit);
    if (roles === undefined) {
      roles = readRoles(
        this.text.codes,
        this.reading.unitStart[unit]!,
        this.reading.unitEnd[unit]!,
        this.open,
      );
      this.roles.set(unit, roles);
    }
    return roles;
  }

  /** Returns the meanings of a sentence, its type, and its marks. */
  symbolsOf(unit: number): readonly number[] {
    let symbols = this.symbols.get(unit);
    if (symbols === undefined) {
      symbols = readSymbols(this.text.codes, this.reading, unit, this.seen);
      this.symbols.set(unit, symbols);
    }
    return symbols;
  }
}

function readSymbols(
  codes: Uint16Array,
  reading: TokenizedText,
  unit: number,
  seen: Uint8Array,
): readonly number[] {
  const { concept, firstWord, kind, sentenceType, unitEnd, unitStart } = reading;
  const from = firstWord[unit]!;
  const to = firstWord[unit + 1]!;
  seen.fill(0);
  seen[TYPE + sentenceType[unit]!] = 1;
  for (let word = from; word < to; word++) {
    seen[concept[word]!] = 1;
    if ((kind[word]! & KIND_LINK) !== 0) seen[LINK] = 1;
  }
  if (to - from < FEW_WORDS) seen[SHORT] = 1;
  else if (to - from > MANY_WORDS) seen[LONG] = 1;
  noteMarks(codes, unitStart[unit]!, unitEnd[unit]!, seen);
  notePlace(codes, unitStart[unit]!, seen);
  seen[0] = 0;
  const found: number[] = [];
  for (let symbol = 1; symbol < SYMBOLS; symbol++) if (seen[symbol] !== 0) found.push(symbol);
  return found;
}

function noteMarks(codes: Uint16Array, start: number, end: number, seen: Uint8Array): void {
  let capitals = 0;
  for (let at = start; at < end; at++) {
    const code = codes[at]!;
    if ((code === COLON || code === WIDE_COLON) && at - start < MAX_LABEL) seen[LABEL] = 1;
    seen[code < 128 ? MARK_OF[code]! : WIDE_QUOTES.has(code) ? QUOTE : 0] = 1;
    capitals = code >= 65 && code <= 90 ? capitals + 1 : 0;
    if (capitals === CAPITALS) seen[LOUD] = 1;
  }
}

/** Notes what stands before a sentence. */
function notePlace(codes: Uint16Array, start: number, seen: Uint8Array): void {
  let at = start - 1;
  while (at >= 0 && start - at < MAX_BLANKS && codes[at] === SPACE) at--;
  if (at < 0 || codes[at] === LINE || codes[at]! > 127) return;
  seen[BEFORE[codes[at]!]!] = 1;
}
