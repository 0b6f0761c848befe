import { pausing, type Steps, trimEndBy, trimStartBy } from '../text/index.ts';
import { emailKey } from './argument-values.ts';
import { phraseOf } from './commands.ts';
import { foldTextInSteps } from './fold-text.ts';
import { nearWordsOf, standNear, wordAt } from './near-words.ts';
import { amountsIn, numbersIn } from './numbers-in.ts';
import { placeOf } from './places.ts';
import { foldedKeysOf, type SearchKey, searchKeysOf } from './search-keys.ts';
import { mayContain, type SketchOf } from './text-sketch.ts';
import type { ArgumentValue } from './types.ts';

/** Returns the indexes of the values that a text contains. */
export type ValueFinder = (text: string) => Steps<ReadonlySet<number>>;

/** Parts of a text that may be an address: no whitespace, quotes, brackets or commas. */
const TOKEN = /[^\s"'`<>()[\]{},;|\\*]{4,2000}/g;
/** Lookahead at each possible start, because matches may overlap. */
const IBAN = /(?<![A-Z\d])(?=([A-Z]{2}\d{2}(?:[ \n-]?[A-Z\d]){8,32}))/gi;
/** Maximum number of characters searched for names, commands and paths; beyond it a value is treated as found. */
const MAX_SEARCHED = 40_000_000;
/** Above this number every text is searched, because checking each sketch for each value would be slower. */
const MAX_SKETCHED = 256;
/** Characters that are searched between two pauses. */
const SEARCHED_A_STEP = 65_536;
const NONE: ReadonlySet<number> = new Set();

/**
 * Searches texts for values, in one pass for each kind, and only texts whose sketch may contain them. `isOwn`: a named
 * domain also covers the hosts below it. Linear in the text; the search for names and commands has a limit, beyond
 * which `hasOverrun` is true.
 */
export function* createValueFinder(
  values: readonly ArgumentValue[],
  isOwn: boolean,
  sketchOf: SketchOf,
): Steps<{ readonly find: ValueFinder; readonly hasOverrun: () => boolean }> {
  const wanted: SearchKey[] = [];
  const nearWords = new Map<string, string[][]>();
  const indexes = new Map<string, number[]>();
  yield* pausing(values.entries(), ([position, value]) => {
    for (const one of searchKeysOf(value, position, isOwn)) {
      wanted.push(one);
      if (one.search === 'near') nearWords.set(one.text, nearWordsOf(one.text) ?? []);
      const known = indexes.get(one.key);
      if (known === undefined) indexes.set(one.key, [one.index]);
      else known.push(one.index);
    }
  });
  const digitLengths = lengthsOf(wanted, 'digits');
  const ibanLengths = lengthsOf(wanted, 'iban');
  let left = MAX_SEARCHED;

  function* notePhrases(folded: string, possible: readonly SearchKey[], found: Set<number>): Steps<void> {
    let searched = 0;
    for (const { index, search, text } of possible.filter(isPhrase)) {
      left -= folded.length;
      if (left < 0) return;
      const isThere =
        search === 'near' ? standNear(folded, nearWords.get(text)!) : wordAt(folded, text, 0) !== -1;
      if (isThere) found.add(index);
      searched += folded.length;
      if (searched < SEARCHED_A_STEP) continue;
      searched = 0;
      yield;
    }
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one line for each kind of value
  const find: ValueFinder = function* (given) {
    const possible = wanted.length > MAX_SKETCHED ? wanted : possibleIn(given, wanted, sketchOf);
    if (possible.length === 0) return NONE;
    const kinds = new Set(possible.map(({ search }) => search));
    yield;
    const text = yield* foldTextInSteps(given);
    const found = new Set<number>();
    const note = (key: string): void => {
      for (const index of indexes.get(key) ?? []) found.add(index);
    };
    if (kinds.has('place') || kinds.has('email')) yield* noteAddresses(text, kinds, isOwn, note);
    if (kinds.has('digits')) yield* noteDigits(text, digitLengths, note);
    if (kinds.has('amount')) for (const amount of amountsIn(text)) note(`amount ${amount}`);
    if (kinds.has('iban')) yield* noteIbans(text, ibanLengths, note);
    if (kinds.has('phrase') || kinds.has('near')) yield* notePhrases(phraseOf(text), possible, found);
    return found;
  };
  return { find, hasOverrun: () => left < 0 };
}

/** Called with the key of each value found. */
type Note = (key: string) => void;

function noteAddresses(
  text: string,
  kinds: ReadonlySet<SearchKey['search']>,
  isOwn: boolean,
  note: Note,
): Steps<void> {
  return pausing(text.matchAll(TOKEN), ([token]) => {
    // In data a look-alike counts as the address, in the user's texts it does not.
    for (const look of isOwn ? [token] : foldedKeysOf(token)) {
      if (kinds.has('email') && look.includes('@')) note(`email ${emailIn(look)}`);
      if (kinds.has('place') && look.includes('.')) notePlaces(look, note);
    }
  });
}

/** Finds digits at any position of a longer number. */
function noteDigits(text: string, lengths: ReadonlySet<number>, note: Note): Steps<void> {
  return pausing(numbersIn(text), (number) => {
    const written = number.replace(/\D/g, '');
    for (const length of lengths)
      for (let at = 0; at + length <= written.length; at++) note(`digits ${written.slice(at, at + length)}`);
  });
}

function noteIbans(text: string, lengths: ReadonlySet<number>, note: Note): Steps<void> {
  return pausing(text.matchAll(IBAN), ([, iban = '']) => {
    const compact = iban.replace(/[ \n-]/g, '').toUpperCase();
    for (const length of lengths) note(`iban ${compact.slice(0, length)}`);
  });
}

const isPhrase = ({ search }: SearchKey): boolean => search === 'phrase' || search === 'near';

function possibleIn(text: string, wanted: readonly SearchKey[], sketchOf: SketchOf): readonly SearchKey[] {
  const sketch = sketchOf(text);
  return wanted.filter(
    ({ needle, isForeign }) => (isForeign && !sketch.isAscii) || mayContain(sketch, needle, text),
  );
}

const lengthsOf = (wanted: readonly SearchKey[], kind: SearchKey['search']): ReadonlySet<number> =>
  new Set(wanted.flatMap(({ search, text }) => (search === kind ? [text.length] : [])));

/** Finds an address after another word and before a suffix, such as `CN=Eve:mailto:eve@…` and `?subject=…`. */
function emailIn(token: string): string {
  const at = token.lastIndexOf('@');
  const local = token.slice(0, at);
  const bare = local.slice(trimEndBy(local, /[^:=/?&#]/).length) + token.slice(at).replace(/[?:/&#=].*$/, '');
  return emailKey(trimEndBy(trimStartBy(bare, /[^\p{L}\p{N}_+]/u), /[^\p{L}\p{N}]/u));
}

/** Notes every address in the token, also in the query of another or after another word, as in `url=https://…`. */
function notePlaces(token: string, note: Note): void {
  const bare = trimEndBy(trimStartBy(token, /[^\p{L}\p{N}]/u), /[^\p{L}\p{N}/]/u);
  const starts = [...bare.matchAll(/(?<![a-z])[a-z][a-z\d+.-]{0,30}:\/\//gi)].map(({ index }) => index);
  for (const start of starts.includes(0) ? starts : [0, ...starts]) {
    const place = placeOf(bare.slice(start));
    if (place !== null) note(`place ${place}`);
  }
}
