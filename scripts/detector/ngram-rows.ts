import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDataSet } from './data-set.ts';
import { type Row, readRows } from './examples.ts';
import { readPlantedRows } from './planted-rows.ts';
import { createRandom, type Random } from './random.ts';
import { buildUserSet } from './training-set.ts';

export type TextKind = 'user' | 'data';

/** A text that the model of n-grams learns from, or that its place among the models is chosen on. */
export interface NgramRow {
  readonly kind: TextKind;
  readonly text: string;
  readonly label: 0 | 1;
  readonly source: string;
  /** Where in the text the attack stands; absent: the label is for all of it. UTF-16 offsets. */
  readonly span?: readonly [number, number];
  /** What the user asked for. */
  readonly task?: string;
  /** Real texts that are never learned from: thresholds are chosen on them. */
  readonly isDev: boolean;
  /** What people and agents really sent, so that a share of it is a share of requests. */
  readonly isTraffic?: boolean;
  /** Attacks of a source that a fold leaves out, so that its score says what the model does not know. */
  readonly isHeldOut: boolean;
}

/** Grammar texts of each label. */
const MADE = 20_000;
/** Other carriers than those that the first reading learned from. */
const PLANTED_SEED = 3;
/** Of a longer harmless text a piece is learned from. UTF-16 units. */
const MAX_HARMLESS = 6_000;
const MAX_ATTACK = 20_000;
/** Users' texts in other languages than English. */
const LANGUAGES = fileURLToPath(new URL('written/languages.jsonl', import.meta.url));

interface StoredRow extends Row {
  readonly family?: string;
  readonly author?: string;
  readonly task?: string | null;
}

interface StoredSession {
  readonly source: string;
  readonly messages: readonly { readonly role: string; readonly content?: string | null }[];
}

/** All texts of one kind. `folder` holds the detection files, `../traffic` beside it the real harmless ones. */
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

function kindOf({ role = 'user' }: StoredRow): TextKind | null {
  if (role === 'user') return 'user';
  return role === 'tool_result' || role === 'document' ? 'data' : null;
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
