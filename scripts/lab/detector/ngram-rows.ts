import { join } from 'node:path';
import { createRandom, type Random } from '../../../test/support/random.ts';
import { buildDataSet } from './data-set.ts';
import { type Row, readRows } from './examples.ts';
import {
  codeLists,
  isLearnedAlone,
  kindOf,
  LANGUAGES,
  ORDINARY,
  readMoreHarmless,
  type TextKind,
} from './further-rows.ts';
import { readPlantedRows } from './planted-rows.ts';
import { buildUserSet } from './training-set.ts';

/** A text for training the n-gram model, or for choosing its combination with the other model. */
export interface NgramRow {
  readonly kind: TextKind;
  readonly text: string;
  readonly label: 0 | 1;
  readonly source: string;
  /** UTF-16 offsets of the attack in the text; absent: the label applies to all of it. */
  readonly span?: readonly [number, number];
  /** The user's request. */
  readonly task?: string;
  /** Real texts that are never used for training: thresholds are chosen on them. */
  readonly isDev: boolean;
  /** Texts that users and agents really sent, so that a share of them is a share of requests. */
  readonly isTraffic?: boolean;
  /** Attacks of a source that a fold leaves out, so that its score measures unseen attacks. */
  readonly isHeldOut: boolean;
}

/** Number of grammar texts for each label. */
const MADE = 20_000;
/** Selects other carriers than those in the first reading's training. */
const PLANTED_SEED = 3;
/** Longer harmless texts are cut to this length for training. UTF-16 units. */
const MAX_HARMLESS = 6_000;
const MAX_ATTACK = 20_000;
/** Ordinary texts that look like attacks are few beside others, and closest to what people type. */
const ORDINARY_TIMES = 8;

interface StoredRow extends Row {
  readonly family?: string;
  readonly author?: string;
  readonly task?: string | null;
}

interface StoredSession {
  readonly source: string;
  readonly messages: readonly { readonly role: string; readonly content?: string | null }[];
}

/** Reads all texts of one kind. `folder` contains the detection files, `../traffic` the real harmless ones. */
export function readNgramRows(
  folder: string,
  kind: TextKind,
  docs: readonly Row[],
  random: Random,
): NgramRow[] {
  const file = (name: string): StoredRow[] => readRows(join(folder, name)) as StoredRow[];
  const traffic = (name: string): StoredRow[] => file(`../traffic/${name}.jsonl`);
  const rows: NgramRow[] = [];
  const add = (list: readonly StoredRow[], options: Partial<NgramRow> = {}): void => {
    for (const row of list) {
      const source = row.author ?? row.family ?? row.source;
      if (kindOf(row) === kind) rows.push({ ...plain(row, kind), ...options, source });
    }
  };
  const train = file('train.jsonl');
  add(train);
  add(file('dev.jsonl'), { isDev: true });
  add(file('attacks-more.jsonl'), { isHeldOut: true });
  add(file('written.jsonl'), { isHeldOut: true });
  add(readRows(LANGUAGES));
  const ordinary = readRows(ORDINARY).filter(isLearnedAlone);
  for (let time = 0; time < ORDINARY_TIMES; time++) add(ordinary);
  add(readMoreHarmless(folder, kind, random));
  for (const row of codeLists(random)) rows.push(plain(row, kind));
  for (const name of ['chat', 'tool-results', 'about-attacks']) {
    add(traffic(`${name}.train`));
    add(traffic(`${name}.dev`), { isDev: true, isTraffic: true });
  }
  if (kind === 'data')
    for (const row of readPlantedRows(join(folder, '../traffic'), createRandom(PLANTED_SEED)))
      rows.push({ ...plain(row, kind), isHeldOut: true });
  rows.push(...sessionRows(file('../traffic/sessions.train.jsonl') as unknown as StoredSession[], kind));
  const made = kind === 'user' ? buildUserSet : buildDataSet;
  const known = new Set(rows.map(({ text }) => text));
  const grammar = made({ train, docs, holdOut: false }, random).filter(({ text }) => !known.has(text));
  for (const label of [0, 1] as const) {
    const chosen = random.shuffled(grammar.filter((row) => row.label === label)).slice(0, MADE);
    rows.push(...chosen.map((row) => ({ ...plain(row, kind), source: 'grammar' })));
  }
  return rows.map((row) => cut(row, random));
}

function plain(row: StoredRow, kind: TextKind): NgramRow {
  const { text, label, source, span, task } = row;
  return {
    kind,
    text,
    label,
    source,
    ...(span === undefined ? {} : { span }),
    ...(typeof task === 'string' ? { task } : {}),
    isDev: false,
    isHeldOut: false,
  };
}

function sessionRows(sessions: readonly StoredSession[], kind: TextKind): NgramRow[] {
  const role = kind === 'user' ? 'user' : 'tool';
  return sessions.flatMap(({ source, messages }) =>
    messages.flatMap((message) =>
      message.role === role && typeof message.content === 'string' && message.content !== ''
        ? [{ kind, text: message.content, label: 0 as const, source, isDev: false, isHeldOut: false }]
        : [],
    ),
  );
}

function cut(row: NgramRow, random: Random): NgramRow {
  if (row.isDev || row.span !== undefined) return row;
  if (row.label === 1) return { ...row, text: row.text.slice(0, MAX_ATTACK) };
  if (row.text.length <= MAX_HARMLESS) return row;
  const from = random.below(row.text.length - MAX_HARMLESS);
  return { ...row, text: row.text.slice(from, from + MAX_HARMLESS) };
}
