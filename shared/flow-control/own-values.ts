import type { Conversation, Steps } from '../text/index.ts';
import { createValueFinder } from './find-values.ts';
import { nameFinder } from './named-scalars.ts';
import { type SketchOf, sketchText } from './text-sketch.ts';
import { scalarsInNamedRecords } from './trusted-records.ts';
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
  if (records.length === 0) return new Set();
  const users = texts.filter(({ origin }) => origin === 'user').map(({ text }) => text);
  const isNamed = nameFinder(users);
  const vouched: string[] = [];
  for (const text of records)
    for (const scalar of yield* scalarsInNamedRecords(text, isNamed)) vouched.push(scalar);
  const { find } = yield* createValueFinder(values, false, sketchText);
  return yield* find(vouched.join('\n'));
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
    confirmed.push(...before.slots.filter(({ role }) => role === 'assistant').map(({ text }) => text));
  }
  return confirmed;
}
