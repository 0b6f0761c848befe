import { cutOut, dataDocuments, dataOrders, hideOrder } from './data-grammar.ts';
import type { Row } from './examples.ts';
import { middleOf } from './examples.ts';
import { userGrammar } from './grammar.ts';
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
  const orders = dataOrders(random);
  const documents = dataDocuments(random);
  const keep = (row: Row) => !(input.holdOut && isHeld(row));
  const passages = input.train
    .filter((row) => row.source === 't0_templates')
    .map(middleOf)
    .filter(present);
  const userRows = [
    ...input.train.filter((row) => row.label === 0 || !ENCODED.test(row.category)),
    ...user.filter(keep),
    ...input.docs.filter((row) => row.category === 'doc'),
    ...passages,
    ...documents.filter(keep).filter((_row, index) => index % 4 === 0),
  ];
  const data = dataRows(input, { user, orders, documents, passages }, keep, random);
  return { user: userRows, data, held: [...user, ...orders, ...documents].filter(isHeld) };
}

interface Material {
  readonly user: readonly Row[];
  readonly orders: readonly Row[];
  readonly documents: readonly Row[];
  readonly passages: readonly Row[];
}

/** Requests that people make of an assistant; in data they are orders. What a bank's customers write is not among them. */
const REQUESTS =
  /roleplay_instr|seed_task|code_request|frr_cyber|intent:(?!.*(?:bank|card|account|balance|bill|fraud|credit|yes|no$|maybe|goodbye|greeting|thank|lost|damaged|oos|pto|insurance|w2|payday|income|rollover|apr|interest|pin|fees|status|are_you|who_|how_old|what_is_your))/;
/** Text that nobody meant for an assistant. */
const FOUND = /repo_code_docs/;

function dataRows(
  input: TrainingInput,
  { user, orders, documents, passages }: Material,
  keep: (row: Row) => boolean,
  random: Random,
): Row[] {
  const made = documents.filter(keep);
  const joined = Array.from({ length: JOINED }, (_none, index) => joinRows(made, index, random));
  const found = [
    ...input.train.filter((row) => FOUND.test(row.source) || row.category === 'roleplay_out'),
    ...input.docs,
    ...passages,
  ];
  const harmless = [
    ...made,
    ...joined,
    ...found,
    ...found.flatMap((row) => [cutOut(row, SHORT, random), cutOut(row, SHORT, random)]),
    ...input.train.filter((row) => row.source === 'banking77').filter((_row, index) => index % 2 === 0),
    ...user.filter(
      (row) =>
        row.label === 0 &&
        /business|code$|foreign|prose|talk|manual|identifiers/.test(row.category) &&
        keep(row),
    ),
  ];
  const requests = input.train
    .filter((row) => REQUESTS.test(row.category) && row.text.length < 400)
    .map((row): Row => ({ ...row, label: 1 }));
  // behind the tool's description stands what a user asks of it
  const asked = input.train
    .filter((row) => row.category === 'toolformer')
    .map((row): Row => ({ ...row, label: 1, text: row.text.slice(row.text.lastIndexOf('\n') + 1) }));
  const attacks = [
    ...orders.filter(keep),
    ...requests,
    ...asked,
    ...user.filter((row) => row.label === 1 && keep(row)),
  ];
  const hidden = attacks.map((order) => {
    const from = random.next();
    const carrier =
      from < 0.4
        ? random.pick(made)
        : from < 0.65
          ? random.pick(joined)
          : cutOut(random.pick(found), LONG, random);
    return hideOrder(carrier, order, random);
  });
  return [...harmless, ...attacks.filter((_row, index) => index % 3 === 0), ...hidden];
}

const JOINED = 3000;
const SHORT = 500;
const LONG = 4000;

function joinRows(rows: readonly Row[], index: number, random: Random): Row {
  const parts = Array.from({ length: 2 + random.below(7) }, () => random.pick(rows));
  return {
    ...parts[0]!,
    id: `joined${index}`,
    text: parts.map(({ text }) => text).join(random.pick(['\n', '\n\n'])),
  };
}

/** What the reading of data is calibrated on: found texts whole and cut short, made-up ones kept out, and orders in both. */
export function dataCalibrationRows(dev: readonly Row[], held: readonly Row[], random: Random): Row[] {
  const passages = dev
    .filter((row) => row.source === 't0_templates')
    .map(middleOf)
    .filter(present);
  const found = [
    ...dev.filter((row) => FOUND_DEV.test(row.source) || row.category === 'roleplay_out'),
    ...passages,
  ];
  const harmless = [
    ...found,
    ...found.map((row) => cutOut(row, SHORT, random)),
    ...held.filter((row) => row.label === 0 && row.role !== undefined),
  ];
  const hidden = held
    .filter((row) => row.label === 1)
    .map((order) => hideOrder(cutOut(random.pick(harmless), LONG, random), order, random));
  return [...harmless, ...hidden];
}

const FOUND_DEV = /c4_demo_dev|repo_code_docs/;
