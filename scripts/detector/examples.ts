import { readdirSync, readFileSync } from 'node:fs';
import { FeatureList, featuresOf } from '../../shared/detection/model/features.ts';
import { clean } from '../../shared/detection/normalize/clean.ts';
import { readText } from '../../shared/detection/read/read-text.ts';
import { MAX_PIECE, Reading } from '../../shared/detection/read/reading.ts';

export interface Row {
  readonly id: string;
  readonly text: string;
  readonly label: 0 | 1;
  readonly category: string;
  readonly source: string;
  /** Absent: a user's text. */
  readonly role?: string;
}

export function readRows(path: string): Row[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** A text as features in buckets: bucket `unit * 3 + back` holds `features[offsets[bucket] .. offsets[bucket + 1])`. */
export interface Example {
  readonly row: Row;
  readonly units: number;
  /** Units long enough to be an order by chance. */
  readonly sentences: number;
  readonly features: Int32Array;
  readonly offsets: Int32Array;
}

const reading = new Reading();
const list = new FeatureList();

export function compileExample(row: Row, frames: boolean): Example {
  const text = clean(row.text).text;
  readText(text, 0, Math.min(text.length, MAX_PIECE), reading, frames);
  featuresOf(reading, list, frames);
  const { units } = reading;
  const offsets = new Int32Array(units * 3 + 1);
  for (let i = 0; i < list.count; i++) offsets[list.unit[i]! * 3 + list.back[i]! + 1]!++;
  for (let i = 0; i < units * 3; i++) offsets[i + 1]! += offsets[i]!;
  const at = offsets.slice();
  const features = new Int32Array(list.count);
  for (let i = 0; i < list.count; i++) features[at[list.unit[i]! * 3 + list.back[i]!]!++] = list.index[i]!;
  return { row, units, sentences: reading.sentences, features, offsets };
}

/** Documentation of the locked dependencies (their README and other Markdown files): harmless text of many makers. */
export function readDependencyDocs(folder: string, maxChars = 6000): Row[] {
  const rows: Row[] = [];
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (path) =>
        /\.(?:md|markdown)$/i.test(path) && !/changelog|history|node_modules\/.*node_modules/i.test(path),
    )
    .sort();
  const seen = new Set<string>();
  for (const path of paths) {
    const text = readFileSync(`${folder}/${path}`, 'utf8').slice(0, maxChars);
    const head = text.slice(0, 200);
    if (text.length < 200 || seen.has(head)) continue;
    seen.add(head);
    rows.push({
      id: `docs:${path}`,
      text,
      label: 0,
      category: 'doc',
      source: 'dependency_docs',
      role: 'document',
    });
  }
  return rows;
}

/** What stands between the instructions of a prompt: the article or review itself. */
export function middleOf(row: Row): Row | undefined {
  const sentences = row.text.split(/(?<=[.!?])\s+|\n+/);
  if (sentences.length < 9) return undefined;
  return { ...row, text: sentences.slice(2, -3).join(' '), category: 'passage' };
}
