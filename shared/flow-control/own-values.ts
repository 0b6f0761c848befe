import type { Conversation, Steps } from '../text/index.ts';
import { emailsIn, isGuardedPath } from './argument-values.ts';
import { createValueFinder } from './find-values.ts';
import { nameFinder } from './named-scalars.ts';
import { type SketchOf, sketchText } from './text-sketch.ts';
import { membersIn, ownListOf, scalarsInNamedRecords, scalarsOfRecords } from './trusted-records.ts';
import type { ArgumentValue, SourceText } from './types.ts';

/** Returns the texts of the user and the developer, and those that the user confirmed. */
export function ownTexts(conversation: Conversation, texts: readonly SourceText[]): string[] {
  const own = texts.filter(({ origin }) => origin === 'user' || origin === 'developer');
  return [...own.map(({ text }) => text), ...confirmedTexts(conversation)];
}

/** Returns the indexes of the values that occur in the texts of the user or the developer. */
export function* ownValues(
  values: readonly ArgumentValue[],
  own: readonly string[],
  sketchOf: SketchOf,
): Steps<ReadonlySet<number>> {
  const known = new Set<number>();
  const names = values.flatMap(namesOf);
  const finder = yield* createValueFinder([...values, ...names], true, sketchOf);
  for (const text of own) {
    for (const index of yield* finder.find(text))
      known.add(index < values.length ? index : names[index - values.length]!.of);
    yield;
  }
  return known;
}

interface PersonName extends ArgumentValue {
  /** Index of the person. */
  readonly of: number;
}

/** Returns the words of a person's name: "Bob" in the user's text matches the person "Bob Stone". */
function namesOf({ kind, text }: ArgumentValue, of: number): PersonName[] {
  if (kind !== 'person') return [];
  const words = text.split(' ').filter((word) => word.length >= MIN_NAME && word !== text);
  return words.map((word) => ({ kind, text: word, of }));
}

const MIN_NAME = 3;

/** Returns the indexes of the values that occur in a record which the user named. */
export function* valuesInNamedRecords(
  values: readonly ArgumentValue[],
  texts: readonly SourceText[],
  returnsRecords: (toolName: string) => boolean,
): Steps<ReadonlySet<number>> {
  const records = texts.filter(
    ({ origin, tool }) => origin === 'untrusted' && tool !== null && returnsRecords(tool),
  );
  const listed = yield* valuesOfOwnLists(values, texts);
  if (records.length === 0) return listed;
  const users = texts.filter(({ origin }) => origin === 'user').map(({ text }) => text);
  const isNamed = nameFinder(users);
  const vouched: string[] = [];
  for (const text of records)
    for (const scalar of yield* scalarsInNamedRecords(text, isNamed)) vouched.push(scalar);
  const { find } = yield* createValueFinder(values, false, sketchText);
  return new Set([...listed, ...(yield* find(vouched.join('\n')))]);
}

/** What the user's own profile says, and members and channels of their workspace; of other domains none. */
function* valuesOfOwnLists(
  values: readonly ArgumentValue[],
  texts: readonly SourceText[],
): Steps<ReadonlySet<number>> {
  const { profiles, members } = yield* readOwnLists(texts);
  if (profiles.length === 0 && members.length === 0) return new Set();
  const own = [...profiles, ...texts.filter(isPersons).map(({ text }) => text)];
  const domains = new Set(own.flatMap((text) => emailsIn(text).map(domainOf)));
  const insiders = members.filter((scalar) =>
    emailsIn(scalar).every((email) => domains.has(domainOf(email))),
  );
  const { find } = yield* createValueFinder(values, false, sketchText);
  return yield* find([...profiles, ...insiders].join('\n'));
}

function* readOwnLists(
  texts: readonly SourceText[],
): Steps<Record<'profiles' | 'members', readonly string[]>> {
  const lists = { profiles: [] as string[], members: [] as string[] };
  for (const { origin, tool, text } of texts) {
    const kind = origin === 'untrusted' && tool !== null ? ownListOf(tool) : null;
    if (kind === 'profile') for (const one of yield* scalarsOfRecords(text)) lists.profiles.push(one);
    if (kind === 'members') for (const one of yield* membersIn(text)) lists.members.push(one);
  }
  return lists;
}

const isPersons = ({ origin }: SourceText): boolean => origin === 'user' || origin === 'developer';
const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/**
 * Returns the indexes of paths that the agent itself was the first to name, by a call or in its words: no text of others
 * had them before. Guarded paths have to be named by a person.
 */
export function* pathsOfAgent(
  values: readonly ArgumentValue[],
  texts: readonly SourceText[],
  sketchOf: SketchOf,
): Steps<ReadonlySet<number>> {
  const paths = values.flatMap(({ kind, text }, index) =>
    kind === 'path' && !isGuardedPath(text) ? [index] : [],
  );
  if (paths.length === 0) return new Set();
  const { find } = yield* createValueFinder(
    paths.map((index) => values[index]!),
    true,
    sketchOf,
  );
  const first = new Map<number, SourceText['origin']>();
  for (const { origin, text } of texts) {
    for (const at of yield* find(text)) if (!first.has(at)) first.set(at, origin);
    yield;
  }
  return new Set(paths.filter((_, at) => first.get(at) === 'model'));
}

const CONFIRMS =
  /^(?:yes|yep|yeah|y|ok|okay|sure|correct|right|confirmed?|approved?|go ahead|do it|do so|please do|send it|pay it|proceed|perfect|great|fine|looks good|sounds good|exactly|agreed|ja|jawohl|genau|passt|oui|d.accord|s[ií]|claro|vale|da|да|ok[eé]|va bene|certo|sim|tak|はい|是|好|네)(?=$|[\s,.!:;])/iu;
const REFUSES = /\b(?:no|not|don.t|never|but|instead|wait|stop|except|nicht|nein|pas|non)\b/i;
const MAX_CONFIRMATION = 200;

/** Returns the assistant's texts that a user confirmed with a short message. */
function confirmedTexts({ messages }: Conversation): string[] {
  const confirmed: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.origin !== 'user' || message.position.index === null) continue;
    const words = message.slots.find(({ role }) => role === 'user')?.text.trim() ?? '';
    if (words.length > MAX_CONFIRMATION || !CONFIRMS.test(words) || REFUSES.test(words)) continue;
    const before = messages[index - 1];
    if (before?.origin !== 'model') continue;
    const said = before.slots.filter(({ role }) => role === 'assistant').map(({ text }) => text);
    confirmed.push(askedFor(said.join('\n')));
  }
  return confirmed;
}

const SENTENCE_END = /[.!?？؟](?=\s)|\n/g;
/** A question about what was said before it: "Shall I go ahead?" */
const REFERS =
  /\b(?:proceed|go ahead|continue|confirm|that|this|these|those|it|so|all right|correct|ok|okay|agree|approve|fortfahren|das|so|soll ich\?|procedo|procéder|continuar|seguir)\b[^?]{0,30}[?？؟]$|^\s*(?:(?:is|are) (?:that|this)|shall i|should i|ok|okay|right|confirm|yes)\s*[?？؟]/i;
const ASIDE = /\([^()\n]{0,500}\)/g;

/** Returns what a "yes" is an answer to: the last question, with what it refers to; without one the whole text. */
function askedFor(said: string): string {
  const text = said.replace(ASIDE, '');
  const end = Math.max(...['?', '？', '؟'].map((mark) => text.lastIndexOf(mark)));
  if (end === -1) return text;
  const before = [...text.slice(0, end).matchAll(SENTENCE_END)].at(-1);
  const question = text.slice((before?.index ?? -1) + 1, end + 1);
  return REFERS.test(question) ? text.slice(0, end + 1) : question;
}
