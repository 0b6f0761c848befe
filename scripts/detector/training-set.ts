import type { Row } from './examples.ts';
import { middleOf } from './examples.ts';
import { dataGrammar, userGrammar } from './grammar.ts';
import type { Random } from './random.ts';

/** Attacks written in codes: kept from the model, which would learn that odd text is an attack. */
const ENCODED = /base6|leets|disem|cipher|combi|multilingual/;

export interface TrainingSets {
  readonly user: readonly Row[];
  readonly data: readonly Row[];
  /** Made-up texts of families the models never saw. */
  readonly held: readonly Row[];
}

export interface TrainingInput {
  readonly train: readonly Row[];
  readonly docs: readonly Row[];
  /** Keeps whole families out, for measuring; the weights that ship learn from all. */
  readonly holdOut: boolean;
}

function isHeld(row: Row): boolean {
  return row.category.startsWith('held:');
}

function present<T>(value: T | undefined): value is T {
  return value !== undefined;
}

export function buildTrainingSets(input: TrainingInput, random: Random): TrainingSets {
  const user = userGrammar(random);
  const data = dataGrammar(random);
  const keep = (row: Row) => !(input.holdOut && isHeld(row));
  const passages = input.train
    .filter((row) => row.source === 't0_templates')
    .map(middleOf)
    .filter(present);
  const userRows = [
    ...input.train.filter((row) => row.label === 0 || !ENCODED.test(row.category)),
    ...user.filter(keep),
    ...input.docs,
    ...passages,
    ...data.filter((row) => row.label === 0 && keep(row)).filter((_row, index) => index % 4 === 0),
  ];
  const requests = input.train.filter(
    (row) =>
      row.category === 'roleplay_instr' || row.category === 'seed_task' || row.category === 'code_request',
  );
  const dataRows = [
    ...data.filter(keep),
    ...user.filter((row) => row.label === 1 && keep(row)),
    ...requests.filter((_row, index) => index % 2 === 0).map((row): Row => ({ ...row, label: 1 })),
    ...input.train.filter(
      (row) => row.source === 'repo_code_docs' || row.category === 'roleplay_out' || row.source === 'gsm8k',
    ),
    ...input.train.filter((row) => row.source === 'banking77').filter((_row, index) => index % 2 === 0),
    ...user.filter(
      (row) =>
        row.label === 0 &&
        /business|code$|foreign|prose|talk|manual|identifiers/.test(row.category) &&
        keep(row),
    ),
    ...input.docs,
    ...passages,
  ];
  return { user: userRows, data: dataRows, held: [...user, ...data].filter(isHeld) };
}
