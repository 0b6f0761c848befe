import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../../test/support/random.ts';
import { type Row, readRows } from './examples.ts';
import { ORDINARY } from './further-rows.ts';
import type { StructureRow } from './learn-structure.ts';

/** Planted orders of one author, and texts that look a little like them. */
const WRITTEN = fileURLToPath(new URL('written/structure.jsonl', import.meta.url));
/** Longer texts are read up to here. UTF-16 units. */
const MAX_LENGTH = 12_000;
/** Pieces of real texts are as short as the results of many tools. UTF-16 units. */
const PIECE = [120, 900] as const;
/** What surrounds a planted text. */
const CARRIER = [200, 2_500] as const;
/** Copies of each text of WRITTEN in carriers. */
const COPIES = 4;
/** Texts that were published as attacks, of which many are alike. */
const PUBLISHED = 600;
const COMPOSED = 800;
const HARMLESS = 5_000;

interface StoredRow extends Row {
  readonly author?: string;
  readonly family?: string;
}

/** Reads what the structure of planted orders is learned from. `folder`: detection, next to traffic. */
export function readStructureRows(folder: string, random: Random): StructureRow[] {
  const all = (name: string): StoredRow[] =>
    existsSync(join(folder, name)) ? (readRows(join(folder, name)) as StoredRow[]) : [];
  const file = (name: string): StoredRow[] => all(name).filter(isData);
  const written = file('written.jsonl');
  const own = readRows(WRITTEN) as StoredRow[];
  const documents = (readRows(ORDINARY) as StoredRow[]).filter(isData);
  const published = file('attacks-more.jsonl');
  const harmless = file('more/harmless.train.jsonl');
  // Rule files and documents are also sent by users.
  const results = all('../traffic/tool-results.train.jsonl');
  const about = all('../traffic/about-attacks.train.jsonl');
  const carriers = [...results, ...harmless].map(({ text }) => text);
  const plant = (row: StoredRow): StoredRow => ({
    ...row,
    text: plantIn(row.text, cutPiece(random.pick(carriers), CARRIER, random), random),
  });
  const cut = (row: StoredRow): StoredRow => ({ ...row, text: cutPiece(row.text, PIECE, random) });
  return [
    ...weighed(written, 1),
    ...weighed(written.map(plant), 0.7),
    ...weighed(own, 1),
    ...weighed(documents, 1.5),
    ...weighed(
      own.flatMap((row) => Array.from({ length: COPIES }, () => plant(row))),
      0.7,
    ),
    ...weighed(some(published.filter(isAttack), PUBLISHED), 0.5),
    ...weighed(some(published.filter(isHarmless), PUBLISHED), 0.5),
    ...weighed(some(file('more/attacks.train.jsonl'), COMPOSED), 0.5),
    ...weighed(some(harmless, HARMLESS), 1),
    ...weighed(results, 1.5),
    ...weighed(results.filter(isForAgents), 1.5),
    ...weighed(about, 2),
    ...weighed([...results, ...about].map(cut), 1),
  ];
}

/** Files of texts that nothing is learned from. */
const CHOICE = [
  'more/attacks.dev.jsonl',
  'more/harmless.dev.jsonl',
  '../traffic/tool-results.dev.jsonl',
  '../traffic/about-attacks.dev.jsonl',
];

/** Reads what the threshold is chosen on. */
export function readStructureChoice(folder: string): Omit<StructureRow, 'weight'>[] {
  return CHOICE.flatMap((name) =>
    (readRows(join(folder, name)) as StoredRow[])
      .filter(isData)
      .map(({ text, label, source }) => ({ text, label, source: `${source} ${label}` })),
  );
}

const isData = ({ role = 'user' }: StoredRow): boolean => role === 'tool_result' || role === 'document';
const isForAgents = ({ category }: StoredRow): boolean => /agent-instructions|skill/.test(category);
const isAttack = ({ label }: StoredRow): boolean => label === 1;
const isHarmless = ({ label }: StoredRow): boolean => label === 0;

function weighed(rows: readonly StoredRow[], weight: number): StructureRow[] {
  return rows.map(({ text, label, author, family, source }) => ({
    text: text.slice(0, MAX_LENGTH),
    label,
    source: author ?? source ?? family ?? '',
    weight,
  }));
}

/** Returns about `count` rows, spread evenly. */
function some<T>(rows: readonly T[], count: number): T[] {
  const step = Math.max(1, rows.length / count);
  return Array.from({ length: Math.floor(rows.length / step) }, (_none, at) => rows[Math.floor(at * step)]!);
}

/** Returns a piece of a text that begins with a line, if one begins nearby. */
function cutPiece(text: string, [least, most]: readonly [number, number], random: Random): string {
  const size = least + random.below(most - least);
  if (text.length <= size) return text;
  const from = random.below(text.length - size);
  const line = text.indexOf('\n', from) + 1;
  const start = line > 0 && line < from + size / 2 ? line : from;
  return text.slice(start, start + size);
}

/** Puts a text behind a line or a sentence of another. */
function plantIn(text: string, carrier: string, random: Random): string {
  const mark = random.chance(0.5) ? '\n' : '. ';
  const found = carrier.indexOf(mark, random.below(carrier.length + 1));
  const at = found === -1 ? carrier.length : found + mark.length - 1;
  const border = mark === '\n' || found === -1 ? '\n' : ' ';
  return `${carrier.slice(0, at)}${border}${text}${border}${carrier.slice(at).trimStart()}`;
}
