import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Guard, readGuard } from '../../../shared/detection/guarded/read-guard.ts';
import type { Random } from '../../../test/support/random.ts';
import { directQuestions } from './direct-questions.ts';
import { type Row, readRows } from './examples.ts';
import { LANGUAGES, ORDINARY, readMoreHarmless } from './further-rows.ts';
import type { GuardedRow } from './learn-guarded.ts';

interface StoredRow extends Row {
  readonly family?: string;
  readonly author?: string;
  readonly system?: string | null;
}

/** Questions to a system prompt that guards something. */
const GUARDED = fileURLToPath(new URL('written/guarded.jsonl', import.meta.url));

/** Weights: questions for the guarded content count fully; other attacks and benign texts with a guard less. */
const OTHERS = 0.5;
const COMPOSED = 0.3;
/** Weight of composed requests for the very thing that is kept. */
const DIRECT = 1;
/** Weights with a random guard: attacks that are recognizable alone, and benign texts, which are numerous. */
const LONE_ATTACK = 0.5;
const LONE = 0.3;
/** Maximum number of rows from long files. */
const MAX_LONE = 8_000;
const MAX_LENGTH = 4_000;

export interface GuardedRows {
  /** Texts with the system prompt that they were written for, if it guards something. */
  readonly beside: readonly GuardedRow[];
  /** Texts that were written without a system prompt. */
  readonly lone: readonly GuardedRow[];
}

/** Reads the training set for guarded questions. `folder`: the detection files, with `../traffic` next to it. */
export function readGuardedRows(folder: string, random: Random): GuardedRows {
  const file = (name: string) => readRows(join(folder, name)) as StoredRow[];
  const own = [GUARDED, ORDINARY].flatMap((path) => readRows(path) as StoredRow[]);
  const texts = [...file('written.jsonl'), ...own];
  const beside: GuardedRow[] = [];
  for (const row of [...texts, ...file('attacks-more.jsonl')]) {
    const guard = isUsers(row) && typeof row.system === 'string' ? readGuard(row.system) : null;
    if (guard !== null) beside.push(rowOf(row, guard, weightOf(row)));
  }
  const lone: GuardedRow[] = [];
  const add = (rows: readonly StoredRow[], weight: number, most = Number.POSITIVE_INFINITY): void => {
    for (const row of random.shuffled(rows).slice(0, most))
      if (row.text.length < MAX_LENGTH) lone.push(rowOf(row, random.pick(beside).guard, weight));
  };
  const bare = texts.filter((row) => isUsers(row) && typeof row.system !== 'string');
  const honest = ({ label }: StoredRow): boolean => label === 0;
  const isOblique = ({ label, family = '' }: StoredRow): boolean =>
    label === 1 && /oblique|secret|indirect/.test(family);
  add([...bare, ...(readRows(LANGUAGES) as StoredRow[])].filter(isOblique), LONE_ATTACK);
  add(bare.filter(honest), LONE);
  add(file('../traffic/chat.train.jsonl'), LONE, MAX_LONE);
  add(file('train.jsonl').filter(honest), LONE, MAX_LONE);
  add(readMoreHarmless(folder, 'user', random), LONE);
  lone.push(...directQuestions(random, DIRECT));
  return { beside, lone };
}

function isUsers({ role = 'user' }: StoredRow): boolean {
  return role === 'user';
}

function rowOf(row: StoredRow, guard: Guard, weight: number): GuardedRow {
  const { text, label, author, family, source } = row;
  return { text, guard, label, source: author ?? family ?? source, weight };
}

/** CyberSecEval's attacks ask for topics, not for the guarded content: they are not used for training. */
function weightOf({ family = '', author = '', label }: StoredRow): number {
  if (/^oblique/.test(family) || /^ordinary/.test(author)) return 1;
  if (family === 'cyberseceval-en') return label === 1 ? 0 : COMPOSED;
  return OTHERS;
}
