import { trimEndBy, trimStartBy } from '../text/index.ts';
import { emailKey } from './argument-values.ts';
import { phraseOf } from './commands.ts';
import { foldText } from './fold-text.ts';
import { nearWordsOf, standNear, wordAt } from './near-words.ts';
import { amountsIn, numbersIn } from './numbers-in.ts';
import { placeOf } from './places.ts';
import { foldedKeysOf, type SearchKey, searchKeysOf } from './search-keys.ts';
import { mayContain, type SketchOf } from './text-sketch.ts';
import type { ArgumentValue } from './types.ts';

/** Returns the indexes of the values that a text contains. */
export type ValueFinder = (text: string) => ReadonlySet<number>;

/** Parts of a text that may be an address: no whitespace, quotes, brackets or commas. */
const TOKEN = /[^\s"'`<>()[\]{},;|\\*]{4,2000}/g;
/** Lookahead at each possible start, because matches may overlap. */
const IBAN = /(?<![A-Z\d])(?=([A-Z]{2}\d{2}(?:[ \n-]?[A-Z\d]){8,32}))/gi;
/** Maximum number of characters searched for names, commands and paths; beyond it a value is treated as found. */
const MAX_SEARCHED = 40_000_000;
/** Above this number every text is searched, because checking each sketch for each value would be slower. */
const MAX_SKETCHED = 256;
const NONE: ReadonlySet<number> = new Set();

/**
 * Searches texts for values, in one pass for each kind, and only texts whose sketch may contain them. `isOwn`: a named
 * domain also covers the hosts below it. Linear in the text; the search for names and commands has a limit, beyond
 * which `hasOverrun` is true.
 */
export function createValueFinder(
  values: readonly ArgumentValue[],
  isOwn: boolean,
  sketchOf: SketchOf,
): { readonly find: ValueFinder; readonly hasOverrun: () => boolean } {
  const wanted = values.flatMap((value, index) => searchKeysOf(value, index, isOwn));
  const nearWords = new Map(
    wanted.flatMap(({ search, text }) =>
      search === 'near' ? [[text, nearWordsOf(text) ?? []] as const] : [],
    ),
  );
  const indexes = new Map<string, number[]>();
  for (const { key, index } of wanted) {
    const known = indexes.get(key);
    if (known === undefined) indexes.set(key, [index]);
    else known.push(index);
  }
  const digitLengths = lengthsOf(wanted, 'digits');
  const ibanLengths = lengthsOf(wanted, 'iban');
  let left = MAX_SEARCHED;

  function* phrasesIn(folded: string, possible: readonly SearchKey[]): Generator<number> {
    for (const { index, search, text } of possible) {
      if (search !== 'phrase' && search !== 'near') continue;
      left -= folded.length;
      if (left < 0) return;
      const isThere =
        search === 'near' ? standNear(folded, nearWords.get(text)!) : wordAt(folded, text, 0) !== -1;
      if (isThere) yield index;
    }
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one line for each kind of value
  const find: ValueFinder = (given) => {
    const possible = wanted.length > MAX_SKETCHED ? wanted : possibleIn(given, wanted, sketchOf);
    if (possible.length === 0) return NONE;
    const kinds = new Set(possible.map(({ search }) => search));
    const text = foldText(given);
    const found = new Set<number>();
    const note = (key: string): void => {
      for (const index of indexes.get(key) ?? []) found.add(index);
    };
    if (kinds.has('place') || kinds.has('email')) noteAddresses(text, kinds, isOwn, note);
    if (kinds.has('digits')) noteDigits(text, digitLengths, note);
    if (kinds.has('amount')) for (const amount of amountsIn(text)) note(`amount ${amount}`);
    if (kinds.has('iban')) noteIbans(text, ibanLengths, note);
    if (kinds.has('phrase') || kinds.has('near'))
      for (const index of phrasesIn(phraseOf(text), possible)) found.add(index);
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
): void {
  for (const [token] of text.matchAll(TOKEN)) {
    // In data a look-alike counts as the address, in the user's texts it does not.
    for (const look of isOwn ? [token] : foldedKeysOf(token)) {
      if (kinds.has('email') && look.includes('@')) note(`email ${emailIn(look)}`);
      if (kinds.has('place') && look.includes('.')) notePlaces(look, note);
    }
  }
}

/** Finds digits at any position of a longer number. */
function noteDigits(text: string, lengths: ReadonlySet<number>, note: Note): void {
  for (const number of numbersIn(text)) {
    const written = number.replace(/\D/g, '');
    for (const length of lengths)
      for (let at = 0; at + length <= written.length; at++) note(`digits ${written.slice(at, at + length)}`);
  }
}

function noteIbans(text: string, lengths: ReadonlySet<number>, note: Note): void {
  for (const [, iban = ''] of text.matchAll(IBAN)) {
    const compact = iban.replace(/[ \n-]/g, '').toUpperCase();
    for (const length of lengths) note(`iban ${compact.slice(0, length)}`);
  }
}

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
