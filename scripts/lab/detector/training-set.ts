import type { Random } from '../../../test/support/random.ts';
import { dataDocuments } from './data-grammar.ts';
import type { Row } from './examples.ts';
import { middleOf } from './examples.ts';
import { userGrammar } from './grammar.ts';

/** Encoded attacks are excluded, because the model would learn that unusual text is an attack. */
const ENCODED = /base6|leets|disem|cipher|combi|multilingual/;
/** A model's refusal; one source lists refusals among its attacks. */
const DECLINED = /^I (?:cannot|can't|apologi[sz]e|am sorry|'m sorry)/i;
const PLAIN_WORD = /^[("'[]*[a-z'\u2019-]*[aeiouy][a-z'\u2019-]*[)"'\].,:;!?]*$/i;

/** True for an attack in plain words, neither encoded nor a refusal. */
function isSpoken({ text, category }: Row): boolean {
  if (ENCODED.test(category) || DECLINED.test(text)) return false;
  const words = text.split(/\s+/).slice(0, 60);
  return words.length > 3 && words.filter((word) => PLAIN_WORD.test(word)).length > words.length / 2;
}

export interface TrainingInput {
  readonly train: readonly Row[];
  readonly docs: readonly Row[];
  /** Holds out whole families for measurement; the shipped weights are trained on all. */
  readonly holdOut: boolean;
  /** Written instructions and their twins, planted in real tool results: only the data reading is trained on them. */
  readonly planted?: readonly Row[];
}

export function isHeld(row: Row): boolean {
  return row.category.startsWith('held:');
}

export function present<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** Builds the training set for the reading of user texts. */
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
