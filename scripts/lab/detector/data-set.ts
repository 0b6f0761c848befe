import type { Random } from '../../../test/support/random.ts';
import { cutOut, dataDocuments, dataOrders, hideOrder } from './data-grammar.ts';
import { middleOf, type Row } from './examples.ts';
import { userGrammar } from './grammar.ts';
import { isHeld, present, type TrainingInput } from './training-set.ts';

/** Requests that users send to an assistant; in data they are instructions. Excludes texts of a bank's customers. */
const REQUESTS =
  /roleplay_instr|seed_task|code_request|frr_cyber|intent:(?!.*(?:bank|card|account|balance|bill|fraud|credit|yes|no$|maybe|goodbye|greeting|thank|lost|damaged|pto|insurance|w2|payday|income|rollover|apr|interest|pin|fees|status|are_you|who_|how_old|what_is_your))/;
/** Texts that were not written for an assistant. */
const FOUND = /repo_code_docs/;

/**
 * Builds the training set for the data reading: harmless texts, instructions alone, and instructions hidden in texts.
 */
export function buildDataSet(input: TrainingInput, random: Random): Row[] {
  const user = userGrammar(random);
  const orders = dataOrders(random);
  const documents = dataDocuments(random);
  const isKept = (row: Row) => !(input.holdOut && isHeld(row));
  const made = documents.filter(isKept);
  const joined = Array.from({ length: JOINED }, (_none, index) => joinRows(made, index, random));
  const found = [
    ...input.train.filter((row) => FOUND.test(row.source) || row.category === 'roleplay_out'),
    ...input.docs,
    ...input.train.map(proseOf).filter(present),
  ];
  const harmless = [
    ...made,
    ...joined,
    ...found,
    ...found.flatMap((row) => Array.from({ length: 8 }, () => cutOut(row, SHORT, random))),
    ...input.train.filter((row) => row.source === 'banking77').filter((_row, index) => index % 2 === 0),
    ...user.filter(
      (row) =>
        row.label === 0 &&
        /business|code$|foreign|prose|talk|manual|identifiers/.test(row.category) &&
        isKept(row),
    ),
  ];
  const requests = input.train
    .filter((row) => REQUESTS.test(row.category) && row.text.length < 400)
    .map((row): Row => ({ ...row, label: 1 }));
  // The tool's description is followed by a user's request.
  const dataRequests = input.train
    .filter((row) => row.category === 'toolformer')
    .map((row): Row => ({ ...row, label: 1, text: row.text.slice(row.text.lastIndexOf('\n') + 1) }));
  const attacks = [
    ...orders.filter(isKept),
    ...requests,
    ...dataRequests,
    ...user.filter((row) => isDirect(row) && isKept(row)).filter((_row, index) => index % 4 === 0),
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
  return [
    ...harmless,
    ...attacks.filter((_row, index) => index % 3 === 0),
    ...hidden,
    ...(input.planted ?? []),
  ];
}

/** Families of user attacks that also occur in data unchanged; speeches and games are only a user's own. */
const DIRECT =
  /override|extract|persona|suppress|authority|markers|split|agent|persuade|guarded|forceword|oblique|frames|foreign/;

function isDirect(row: Row): boolean {
  return row.label === 1 && DIRECT.test(row.category);
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

/** Sentences that may address the model of a prompt. */
const PROMPTING =
  /\?|:\s*$|\b(?:answer|question|following|choose|options?|choice|paraphrase|summar|sentence|passage|context|according|given|above|below|write|rewrite|translate|generate|select|predict|sentiment|rate|stars|title|review|article|text|dialogue|paragraph|label|category|yes or no|true or false|can you|you think)/i;

/** Returns the prose of a prompt without anything that may be addressed to a model. */
function proseOf(row: Row): Row | undefined {
  if (row.source !== 't0_templates') return undefined;
  const middle = middleOf(row);
  if (middle !== undefined) return middle;
  const sentences = row.text
    .split(/(?<=[.!?])\s+|\n+/)
    .slice(1, -1)
    .filter((sentence) => !PROMPTING.test(sentence));
  const text = sentences.join(' ');
  return text.length < 150 ? undefined : { ...row, text, category: 'prose' };
}

/**
 * Builds the calibration set of the data reading: real texts whole and truncated, held-out synthetic ones, and
 * instructions in both.
 */
export function dataCalibrationRows(dev: readonly Row[], random: Random): Row[] {
  const direct = userGrammar(random).filter(isDirect);
  const held = [...direct, ...dataOrders(random), ...dataDocuments(random)].filter(isHeld);
  const found = [
    ...dev.filter((row) => FOUND_DEV.test(row.source) || row.category === 'roleplay_out'),
    ...dev.map(proseOf).filter(present),
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
