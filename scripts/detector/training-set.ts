import { dataDocuments } from './data-grammar.ts';
import type { Row } from './examples.ts';
import { middleOf } from './examples.ts';
import { userGrammar } from './grammar.ts';
import type { Random } from './random.ts';

/** Attacks written in codes: kept from the model, which would learn that odd text is an attack. */
const ENCODED = /base6|leets|disem|cipher|combi|multilingual/;
/** What a model said no with; it stands among the attacks of one source. */
const DECLINED = /^I (?:cannot|can't|apologi[sz]e|am sorry|'m sorry)/i;
const PLAIN_WORD = /^[("'[]*[a-z'\u2019-]*[aeiouy][a-z'\u2019-]*[)"'\].,:;!?]*$/i;

/** An attack in words: no code, no refusal that was taken for one. */
function isSpoken({ text, category }: Row): boolean {
  if (ENCODED.test(category) || DECLINED.test(text)) return false;
  const words = text.split(/\s+/).slice(0, 60);
  return words.length > 3 && words.filter((word) => PLAIN_WORD.test(word)).length > words.length / 2;
}

export interface TrainingInput {
  readonly train: readonly Row[];
  readonly docs: readonly Row[];
  /** Keeps whole families out, for measuring; the weights that ship learn from all. */
  readonly holdOut: boolean;
  /** Written orders and their twins, planted in real tool results: of these only the reading of data learns. */
  readonly planted?: readonly Row[];
}

export function isHeld(row: Row): boolean {
  return row.category.startsWith('held:');
}

export function present<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** Texts for the reading of a user's words. */
export function buildUserSet(input: TrainingInput, random: Random): Row[] {
  const user = userGrammar(random);
  const documents = dataDocuments(random);
  const include = (row: Row) => !(input.holdOut && isHeld(row));
  const passages = input.train
    .filter((row) => row.source === 't0_templates')
    .map(middleOf)
    .filter(present);
  return [
    ...input.train.filter((row) => row.label === 0 || isSpoken(row)),
    ...user.filter(include),
    ...passages,
    ...documents.filter(include).filter((_row, index) => index % 4 === 0),
  ];
}
