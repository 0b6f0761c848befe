import { trimEndBy, trimStartBy } from '../text/index.ts';
import { amountOf, emailKey, isGuardedPath } from './argument-values.ts';
import { toCommand } from './commands.ts';
import { foldText, lookOf } from './fold-text.ts';
import { numberWords } from './number-words.ts';
import { foldersAbove, placeOf, placesAbove } from './places.ts';
import type { ArgumentValue, ValueKind } from './types.ts';

/** Which of the values a text names, as indexes into them. */
export type ValueFinder = (text: string) => ReadonlySet<number>;

/** Pieces of a text that an address can be: no white space, quotes, brackets or commas. */
const TOKEN = /[^\s"'`<>()[\]{},;|\\*]{4,2000}/g;
const NUMBER = /\d(?:(?:[ .()/'’-]{1,2}|[.,])?\d){0,39}/g;
const IBAN = /[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){8,32}/gi;
const IS_WORD = /[\p{L}\p{N}]/u;
/** Characters that are searched for names, commands and paths; beyond it a value counts as found. */
const MAX_SEARCHED = 40_000_000;
const BY_WORDS: ReadonlySet<ValueKind> = new Set(['channel', 'person', 'path', 'command']);

/**
 * Looks for values in texts, in one pass for each kind. `withDomainsAbove`: who names a domain vouches for the hosts
 * below it. Linear in the text; the search for names and commands has a limit, beyond which `overrun` is true.
 */
export function createValueFinder(
  values: readonly ArgumentValue[],
  withDomainsAbove: boolean,
): { readonly find: ValueFinder; readonly hasOverrun: () => boolean } {
  const wanted = new Map<string, number[]>();
  const want = (key: string, index: number): void => {
    const known = wanted.get(key);
    if (known === undefined) wanted.set(key, [index]);
    else known.push(index);
  };
  const phrases: { readonly index: number; readonly text: string }[] = [];
  /** Of phones and accounts of digits alone: they stand anywhere in a run of digits. */
  const digitLengths = new Set<number>();
  const ibanLengths = new Set<number>();
  const kinds = new Set<ValueKind>();
  values.forEach(({ kind, text }, index) => {
    kinds.add(kind);
    // Accounts that are no IBAN and not of digits alone, such as wallets.
    const isOtherAccount = kind === 'account' && /[a-z]/.test(text);
    if (BY_WORDS.has(kind) || isOtherAccount) {
      phrases.push({ index, text });
      if (kind === 'path' && withDomainsAbove && !isGuardedPath(text))
        for (const folder of foldersAbove(text)) phrases.push({ index, text: folder });
    } else if (kind === 'url' || kind === 'host')
      for (const place of withDomainsAbove ? placesAbove(text) : looksOf(text)) want(`place ${place}`, index);
    else if (kind === 'email' && !withDomainsAbove)
      for (const look of looksOf(text)) want(`email ${look}`, index);
    else if (/^\d+$/.test(text) && kind !== 'amount') {
      digitLengths.add(text.length);
      want(`digits ${text}`, index);
    } else want(`${kind} ${text}`, index);
    if (kind === 'account' && /^[A-Z]/.test(text)) ibanLengths.add(text.length);
  });
  const hasPlaces = kinds.has('url') || kinds.has('host');
  const hasNumbers = kinds.has('phone') || kinds.has('account') || kinds.has('amount');
  // Country and check digits are written in one piece.
  const ibanHeads = new Set(
    values.flatMap(({ kind, text }) =>
      kind === 'account' && /^[A-Z]{2}/.test(text) ? [text.slice(0, 4)] : [],
    ),
  );
  const mayNameIban = (text: string): boolean => {
    const folded = text.toUpperCase();
    return ibanHeads.size > MAX_NEEDLES || [...ibanHeads].some((head) => folded.includes(head));
  };
  const mayName = needleFilter([...wanted.keys()]);
  let left = MAX_SEARCHED;

  const find: ValueFinder = (given) => {
    const text = foldText(given);
    const found = new Set<number>();
    const note = (key: string): void => {
      for (const index of wanted.get(key) ?? []) found.add(index);
    };
    if ((hasPlaces || kinds.has('email')) && mayName(text)) {
      for (const [token] of text.matchAll(TOKEN)) {
        // What looks like the address counts as it in data, never as the user's.
        for (const look of withDomainsAbove ? [token] : looksOf(token)) {
          if (kinds.has('email') && look.includes('@')) note(`email ${emailIn(look)}`);
          if (hasPlaces && look.includes('.')) notePlaces(look, note);
        }
      }
    }
    if (hasNumbers)
      for (const [number] of text.matchAll(NUMBER)) {
        const written = number.replace(/\D/g, '');
        for (const length of digitLengths)
          for (let at = 0; at + length <= written.length; at++)
            note(`digits ${written.slice(at, at + length)}`);
        if (!kinds.has('amount')) continue;
        for (const part of [number, ...(number.includes(' ') ? number.split(' ') : [])])
          note(`amount ${amountOf(part)}`);
      }
    if (kinds.has('amount')) for (const amount of numberWords(text)) note(`amount ${amount}`);
    if (ibanLengths.size > 0 && mayNameIban(text))
      for (const [iban] of text.matchAll(IBAN)) {
        const compact = iban.replace(/[ -]/g, '').toUpperCase();
        for (const length of ibanLengths) note(`account ${compact.slice(0, length)}`);
      }
    if (phrases.length > 0) {
      const folded = toCommand(text);
      for (const { index, text: phrase } of phrases) {
        left -= folded.length;
        if (left < 0) break;
        if (hasPhrase(folded, phrase)) found.add(index);
      }
    }
    return found;
  };
  return { find, hasOverrun: () => left < 0 };
}

const MAX_NEEDLES = 64;
/** Letters that are other letters in one spelling (NFKC), or look like others. */
const COMPATIBLE = /[\u2100-\u214f\uff00-\uffef]|\ud835/;
const NOT_ASCII = /[^\x00-\x7f]/;

/** An address, and what it looks like if that is another one. */
function looksOf(address: string): readonly string[] {
  const look = lookOf(address);
  return look === address ? [address] : [address, look];
}

/** Whether a text can name one of the addresses at all: most name none, and are not taken apart. */
function needleFilter(keys: readonly string[]): (text: string) => boolean {
  const needles = new Set(
    keys.flatMap((key) =>
      /^(?:place|email) /.test(key) ? [key.replace(/^\w+ /, '').replace(/\/.*$/, '')] : [],
    ),
  );
  if (needles.size > MAX_NEEDLES) return () => true;
  const hasForeignHost = [...needles].some((needle) => needle.includes('xn--'));
  return (text) => {
    if (COMPATIBLE.test(text) || (hasForeignHost && NOT_ASCII.test(text))) return true;
    const folded = lookOf(text.toLowerCase());
    for (const needle of needles) if (folded.includes(needle)) return true;
    return false;
  };
}

function emailIn(token: string): string {
  const bare = token.replace(/^mailto:/i, '').replace(/[?].*$/, '');
  return emailKey(trimEndBy(trimStartBy(bare, /[^\p{L}\p{N}_+]/u), /[^\p{L}\p{N}]/u));
}

function notePlaces(token: string, note: (key: string) => void): void {
  const bare = trimEndBy(trimStartBy(token, /[^\p{L}\p{N}]/u), /[^\p{L}\p{N}/]/u);
  const at = bare.lastIndexOf('://');
  // Behind another word, such as `url=https://…`.
  const before = bare.slice(0, Math.max(0, at));
  const scheme = trimStartBy(before.slice(trimEndBy(before, /[a-z\d+.-]/i).length), /[\d+.-]/);
  const start = scheme === '' ? 0 : at - scheme.length;
  const place = placeOf(bare.slice(start));
  if (place !== null) note(`place ${place}`);
}

/** The phrase with no letter or digit right before or after it. */
function hasPhrase(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    const before = text[at - 1];
    const after = text[at + phrase.length];
    if ((before === undefined || !IS_WORD.test(before)) && (after === undefined || !IS_WORD.test(after)))
      return true;
  }
  return false;
}
