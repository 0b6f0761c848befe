import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { takeCoverage } from 'node:v8';
import { coverageEnv, functionsThatRan } from '../coverage/read-coverage.ts';
import type { Around } from '../run-test-files.ts';
import type { Reached } from './reach-map.ts';
import { partAt, partsOf, type SourcePart } from './source-parts.ts';

/** Set in processes of test files whose reach is recorded. */
export const RECORD_FOLDER = 'CSG_REACH_FOLDER';
const RAW = 'raw';
const RECORDS = 'reach.jsonl';

interface ReachRecord {
  readonly test: string;
  /** Where the functions begin that ran, by file. */
  readonly ran: Readonly<Record<string, readonly number[]>>;
}

/**
 * Runs test files and reports which functions of the project each of them ran, in all processes that it started: V8
 * counts the calls of each, and the counts are taken at the end of each test file.
 */
export function recordReach(root: string, onReach: (test: string, reached: Reached) => void): Around {
  const known = new Map<string, readonly SourcePart[]>();
  const partsIn = (file: string): readonly SourcePart[] => {
    const parts = known.get(file) ?? partsOf(file, readFileSync(path.join(root, file), 'utf8'));
    known.set(file, parts);
    return parts;
  };
  /** The functions, and what is outside of them in their file. */
  const reachedBy = (file: string, starts: readonly number[]) =>
    new Set(
      [partsIn(file)[0]!, ...starts.map((start) => partAt(partsIn(file), start))].map(({ digest }) => digest),
    );
  return {
    isAlone: false,
    async runGroup(files, run) {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'csg-reach-'));
      const raw = path.join(folder, RAW);
      mkdirSync(raw);
      try {
        const end = await run({ ...process.env, ...coverageEnv(raw), [RECORD_FOLDER]: folder });
        // What ended late, and a file that had a process of its own; one that was stopped ran only in part.
        if (end === 'ended') appendRecord(folder, root, files.at(-1)!);
        for (const { test, ran } of readRecords(folder)) {
          // Not what a test made and removed.
          const files = Object.keys(ran).filter((file) => existsSync(path.join(root, file)));
          onReach(test, new Map(files.map((file) => [file, reachedBy(file, ran[file]!)])));
        }
        return end;
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}

/** Called in the process of test files at the end of each; does nothing unless their reach is recorded. */
export function recordReachOf(test: string, root: string): void {
  const folder = process.env[RECORD_FOLDER] ?? '';
  if (folder === '') return;
  takeCoverage();
  appendRecord(folder, root, test);
}

function appendRecord(folder: string, root: string, test: string): void {
  const raw = path.join(folder, RAW);
  const all = [...functionsThatRan(raw, root)].filter(([file]) => !file.startsWith('node_modules/'));
  for (const name of readdirSync(raw)) rmSync(path.join(raw, name), { recursive: true, force: true });
  const ran = Object.fromEntries(all.map(([file, starts]) => [file, [...starts]]));
  const record: ReachRecord = { test: path.relative(root, test), ran };
  appendFileSync(path.join(folder, RECORDS), `${JSON.stringify(record)}\n`);
}

function readRecords(folder: string): ReachRecord[] {
  const file = path.join(folder, RECORDS);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ReachRecord);
}
