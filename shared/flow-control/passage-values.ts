import { pausing, type Steps, trimBy } from '../text/index.ts';
import type { ArgumentClass } from './argument-classes.ts';
import { emailKey, emailsIn, piecesOf, urlsIn } from './argument-values.ts';
import { programsIn } from './commands.ts';
import { foldAddress, foldTextInSteps } from './fold-text.ts';
import { isCommonWord } from './named-scalars.ts';
import { numbersIn } from './numbers-in.ts';
import { placeOf } from './places.ts';

/** Called with the key of a value. */
export type NoteKey = (key: string) => void;

/** A longer value is known by its first words. */
const MAX_WORDS = 8;
const MIN_NAME = 6;
const MIN_DIGITS = 4;
/** Parts of a text between white space, quotes and brackets. */
const TOKEN = /[^\s"'`“”„«»<>()[\]{},;|*]{1,2000}/g;
const EDGES = /[^\p{L}\p{N}/~_$-]/u;
/** Joins words that are parts of one token: `to=eve`, `a/b`. */
const JOINTS = /[=:&?#/\\]+/;

const QUOTED =
  /"([^"\n]{1,200})"|'([^'\n]{1,200})'(?!\p{L})|`([^`\n]{1,200})`|“([^”\n]{1,200})”|«([^»\n]{1,200})»/gu;
/** A word and those that continue a name: `Riverside View Hotel`, `Banco de Madrid`. */
const NAME =
  /\p{Lu}[\p{L}\p{M}'’-]{0,40}(?: (?:(?:de|da|del|di|du|la|le|van|von|of|the|and|&) )?\p{Lu}[\p{L}\p{M}'’-]{0,40}){0,7}/gu;
const SENTENCE_START = /(?:^|[.!?:;\n>*-])[\s"'(]{0,20}$/;
/** What stands behind a word for an identifier, however short it is. */
const NAMED_ID =
  /(?:\b(?:id|ids|number|no\.?|nr\.?|key|code|pin|password|passcode|token|account|konto)\b|#)["':= ]{0,4}(?:is |of |to )?["'`#]?((?=[\w-]{0,40}\d)[\w-]{1,40})/gi;
/** Letters and digits together, snake_case, camelCase, files, handles and channels. */
const IDENTIFIER =
  /^(?:[@#][\p{L}\p{N}][\p{L}\p{N}._-]{2,60}|(?=.*\p{L})(?=.*\d)[\p{L}\p{N}._+-]{4,80}|\p{L}+(?:_[\p{L}\p{N}]+)+|\p{Ll}+(?:\p{Lu}\p{Ll}+)+|[\p{L}\p{N}_-]+\.[a-z]{2,5})$/u;
const FOLDER = /^(?:~|\.{0,2}|[a-z]:)?[\\/]?(?:[\w.@ -]+[\\/])+[\w.@-]*$/i;
/** Money in a passage; among the arguments a field for it. */
const MONEY =
  /(?:[$€£¥₹]|\b(?:usd|eur|gbp|chf|inr|jpy|cad|aud)\b) ?(\d[\d.,' ]{0,18})|(\d[\d.,']{0,18}) ?(?:[$€£¥₹]|\b(?:usd|eur|gbp|chf|inr|jpy|cad|aud|dollars?|euros?|pounds?)\b)/gi;

/** Returns the keys of the values in a passage that gives instructions, at most `most` of them. */
export function* passageKeys(passage: string, most: number): Steps<ReadonlySet<string>> {
  const keys = new Set<string>();
  const note: NoteKey = (key) => {
    if (keys.size < most) keys.add(key);
  };
  const text = yield* foldTextInSteps(passage);
  yield* noteAddresses(text, note);
  yield* noteNumbers(text, note);
  for (const [, before, after] of text.matchAll(MONEY)) note(`money ${moneyOf(before ?? after ?? '')}`);
  for (const [, id = ''] of text.matchAll(NAMED_ID)) note(`id ${id.toLowerCase()}`);
  yield;
  for (const [, ...quoted] of text.matchAll(QUOTED))
    notePhrase(quoted.find((one) => one !== undefined)!, note);
  yield* pausing(text.matchAll(TOKEN), ([token]) => {
    const bare = trimBy(token, EDGES);
    const written = /^[@#]/.test(token) ? token.slice(0, 1) + bare : bare;
    if (IDENTIFIER.test(written) || (FOLDER.test(bare) && bare.length > 3)) note(`words ${wordOf(token)}`);
    for (const part of bare.split(JOINTS))
      if (part !== bare && IDENTIFIER.test(part)) note(`words ${wordOf(part)}`);
  });
  yield* pausing(programsIn(text), (command) => notePhrase(command, note));
  yield* pausing(text.matchAll(NAME), ({ 0: name, index }) => noteName(name, text.slice(0, index), note));
  return keys;
}

function notePhrase(phrase: string, note: NoteKey): void {
  const words = wordsOf(phrase);
  if (phrase.trim().length >= MIN_NAME && words.length > 0 && !words.every(isCommonWord))
    note(`words ${words.slice(0, MAX_WORDS).join(' ')}`);
}

/** The first word of a sentence is no name by itself, and the rest may be one without it. */
function noteName(name: string, before: string, note: NoteKey): void {
  const words = name.split(' ');
  const isFirst = SENTENCE_START.test(before.slice(-24));
  const ways = isFirst ? [words.slice(1), ...(words.length > 2 ? [words] : [])] : [words];
  for (const way of ways) {
    const isShouted = way.every((word) => word === word.toUpperCase());
    if (!isShouted) notePhrase(way.join(' '), note);
  }
}

function* noteAddresses(text: string, note: NoteKey): Steps<void> {
  yield* pausing(emailsIn(text), (email) => note(`email ${withoutTag(email)}`));
  yield* pausing(yield* urlsIn(text), (url) => {
    const place = placeOf(foldAddress(url));
    if (place !== null) note(`place ${place}`);
  });
}

/** `eve+x@evil.example` reaches whom `eve@evil.example` reaches. */
const withoutTag = (email: string): string => email.replace(/\+[^@]*(?=@)/, '');

function* noteNumbers(text: string, note: NoteKey): Steps<void> {
  yield* pausing(numbersIn(text), (number) => {
    const digits = number.replace(/[.,]\d{1,2}$/, '').replace(/\D/g, '');
    if (digits.length >= MIN_DIGITS) note(`number ${digits}`);
  });
}

const moneyOf = (written: string): string =>
  String(Number.parseFloat(written.replace(/[,' ](?=\d{3})/g, '')));

const wordOf = (token: string): string => trimBy(token, /[^\p{L}\p{N}/~_$@#-]/u).toLowerCase();
const wordsOf = (text: string): string[] =>
  (text.match(TOKEN) ?? []).map(wordOf).filter((word) => word !== '');

/** The argument that a text is the value of. */
export interface KeyedField {
  readonly name: string;
  readonly class: ArgumentClass | null;
}

/** Finds which of the keys a text carries. Linear in the text, whatever the number of keys. */
export function createKeyFinder(
  keys: ReadonlySet<string>,
): (text: string, note: NoteKey, field?: KeyedField) => Steps<void> {
  const noteRuns = createRunFinder(keys);
  return function* (given, note, field) {
    const text = yield* foldTextInSteps(given);
    const noteKnown: NoteKey = (key) => {
      if (keys.has(key)) note(key);
    };
    let before: readonly string[] = [];
    for (const piece of piecesOf(text)) {
      yield* noteAddresses(piece, noteKnown);
      yield* noteNumbers(piece, noteKnown);
      const words = [...before, ...wordsOf(piece)];
      yield* pausing(words, (word) => {
        if (field === undefined) noteScalar(word, noteKnown);
        if (word.includes('.')) noteDotted(word, noteKnown);
        for (const part of word.split(JOINTS)) noteKnown(`words ${part}`);
      });
      yield* noteRuns(words, noteKnown);
      // A value may go on in the next piece.
      before = words.slice(1 - MAX_WORDS);
    }
    const whole = text.length > MAX_SCALAR ? '' : text.trim().toLowerCase();
    if (field?.class === 'amount' || IS_ID.test(field?.name ?? '')) noteScalar(whole, noteKnown);
  };
}

/** Finds values of several words: most words of a text are not the first of one. */
function createRunFinder(
  keys: ReadonlySet<string>,
): (words: readonly string[], note: NoteKey) => Steps<void> {
  const heads = new Set<string>();
  const lengths = new Set<number>();
  for (const key of keys) {
    if (!key.startsWith('words ')) continue;
    const words = key.slice('words '.length).split(' ');
    heads.add(words[0]!);
    lengths.add(words.length);
  }
  return (words, note) =>
    pausing(words.entries(), ([at, word]) => {
      if (!heads.has(word)) return;
      for (const length of lengths)
        if (at + length <= words.length) note(`words ${words.slice(at, at + length).join(' ')}`);
    });
}

const MAX_SCALAR = 200;

function noteScalar(whole: string, note: NoteKey): void {
  note(`id ${whole}`);
  if (/\d/.test(whole)) note(`money ${moneyOf(whole)}`);
}

const IS_ID = /(?:id|ids|number|no|nr|key|code|pin|password|token|account|ref|reference|\d+)$/i;

/** A host by itself, or a part of an address that is written apart. */
function noteDotted(word: string, note: NoteKey): void {
  const look = foldAddress(word);
  const place = placeOf(look);
  if (place !== null) note(`place ${place}`);
  if (look.includes('@')) note(`email ${withoutTag(emailKey(look))}`);
}
