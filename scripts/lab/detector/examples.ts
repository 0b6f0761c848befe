import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { contextOf } from '../../../shared/detection/model/context.ts';
import { eachFeature } from '../../../shared/detection/model/feature-list.ts';
import { featuresOf } from '../../../shared/detection/model/features.ts';
import { normalizeText } from '../../../shared/detection/normalize/normalize-text.ts';
import { readText } from '../../../shared/detection/read/read-text.ts';
import { MAX_PIECE } from '../../../shared/detection/read/tokenized-text.ts';
import { ScoringTables, Workspace } from '../../../shared/detection/workspace.ts';
import { relabel } from './relabelled.ts';

export interface Row {
  readonly id: string;
  readonly text: string;
  readonly label: 0 | 1;
  readonly category: string;
  readonly source: string;
  /** Absent: a user's text. */
  readonly role?: string;
  /** UTF-16 offsets of an attack inserted into a harmless text. Absent: the label applies to the whole text. */
  readonly span?: readonly [number, number];
}

/** Reads labeled texts, with the labels that were corrected. */
export function readRows(path: string): Row[] {
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
  return relabel(rows, path);
}

/** A text as features in buckets: bucket `unit * 3 + back` holds `features[offsets[bucket] .. offsets[bucket + 1])`. */
export interface Example {
  readonly row: Row;
  readonly units: number;
  /** Number of units long enough to be an instruction by chance. */
  readonly sentences: number;
  /** Offset of the threshold for this kind of text. Log-odds. */
  readonly ease: number;
  /** Reduction of each unit's score; absent if there is none. Log-odds. */
  readonly scoreReduction?: Float32Array;
  readonly features: Int32Array;
  readonly offsets: Int32Array;
}

const workspace = new Workspace();
const { reading, features: list, context } = new ScoringTables(MAX_PIECE);

export function compileExample(row: Row, frames: boolean): Example {
  const { text } = normalizeText(row.text, workspace);
  workspace.withText(text, (read) => readText(read, 0, Math.min(text.length, MAX_PIECE), reading, frames));
  featuresOf(reading, list, frames);
  const ease = frames ? contextOf(text, reading, list, context) : 0;
  const { units } = reading;
  const offsets = new Int32Array(units * 3 + 1);
  eachFeature(list, (_index, unit, back) => offsets[unit * 3 + back + 1]!++);
  for (let i = 0; i < units * 3; i++) offsets[i + 1]! += offsets[i]!;
  const at = offsets.slice();
  const features = new Int32Array(offsets[units * 3]!);
  eachFeature(list, (index, unit, back) => {
    features[at[unit * 3 + back]!++] = index;
  });
  const off = frames ? { scoreReduction: context.scoreReduction.slice(0, units) } : {};
  return { row, units, sentences: reading.sentences, ease, ...off, features, offsets };
}

/** Splits a text with an inserted attack into two examples: the units of the attack, and the harmless rest. */
export function compileExamples(row: Row, frames: boolean): Example[] {
  const whole = compileExample(row, frames);
  if (row.span === undefined) return [whole];
  const [from, to] = row.span;
  const inside: number[] = [];
  const outside: number[] = [];
  for (let unit = 0; unit < whole.units; unit++) {
    const start = reading.unitStart[unit]!;
    const end = reading.unitEnd[unit]!;
    const common = Math.min(end, to) - Math.max(start, from);
    (common * 2 > end - start ? inside : outside).push(unit);
  }
  const parts = [pickUnits(whole, inside, { ...row, label: 1 })];
  if (outside.length > 0) parts.push(pickUnits(whole, outside, { ...row, label: 0 }));
  return parts;
}

function pickUnits(whole: Example, chosen: readonly number[], row: Row): Example {
  const offsets = new Int32Array(chosen.length * 3 + 1);
  const features: number[] = [];
  for (const [index, unit] of chosen.entries()) {
    for (let back = 0; back < 3; back++) {
      for (let i = whole.offsets[unit * 3 + back]!; i < whole.offsets[unit * 3 + back + 1]!; i++)
        features.push(whole.features[i]!);
      offsets[index * 3 + back + 1] = features.length;
    }
  }
  return {
    row,
    units: chosen.length,
    sentences: whole.sentences,
    ease: whole.ease,
    features: Int32Array.from(features),
    offsets,
  };
}

/** Kinds of files in the locked dependencies that serve as harmless text of many authors, and their limits. */
const DEPENDENCY_FILES = [
  { category: 'doc', pattern: /\.(?:md|markdown)$/i, max: 1000 },
  { category: 'types', pattern: /\.d\.ts$/, max: 3000 },
  { category: 'code', pattern: /(?<!\.min)\.(?:js|mjs|cjs|h|cpp)$/, max: 3500 },
  { category: 'record', pattern: /(?<!package|tsconfig)\.(?:json|ya?ml)$/, max: 300 },
] as const;

/** Reads files of the locked dependencies: documentation, declarations with their comments, code, records. */
export function readDependencyFiles(folder: string, maxChars = 6000): Row[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    // Excludes this project's own packages, which are links: they change with every commit and build.
    .filter((path) => !/changelog|history|node_modules\/.*node_modules|^\.|^@csg\//i.test(path))
    .sort();
  const seen = new Set<string>();
  const rows: Row[] = [];
  for (const { category, pattern, max } of DEPENDENCY_FILES) {
    const paths = all.filter((path) => pattern.test(path));
    const step = Math.max(1, Math.floor(paths.length / max));
    for (let i = 0; i < paths.length; i += step) {
      const path = paths[i]!;
      const text = readFileSync(`${folder}/${path}`, 'utf8').slice(0, maxChars);
      const head = text.slice(0, 200);
      if (text.length < 200 || seen.has(head)) continue;
      seen.add(head);
      rows.push({
        id: `docs:${path}`,
        text,
        label: 0,
        category,
        source: 'dependency_docs',
        role: 'document',
      });
    }
  }
  return rows;
}

/** Returns the text between the instructions of a prompt, such as an article or a review. */
export function middleOf(row: Row): Row | undefined {
  const sentences = row.text.split(/(?<=[.!?])\s+|\n+/);
  if (sentences.length < 9) return undefined;
  return { ...row, text: sentences.slice(2, -3).join(' '), category: 'passage' };
}
