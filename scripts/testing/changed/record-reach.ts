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
import { coverageEnv, filesThatRan } from '../coverage/read-coverage.ts';
import type { Around } from '../run-test-files.ts';

/** Set in processes of test files whose reach is recorded. */
export const RECORD_FOLDER = 'CSG_REACH_FOLDER';
const RAW = 'raw';
const RECORDS = 'reach.jsonl';

interface ReachRecord {
  readonly test: string;
  readonly files: readonly string[];
}

/**
 * Runs test files and reports which files of the project each of them ran, in all processes that it started: V8 counts
 * the calls of each function, and the counts are taken at the end of each test file.
 */
export function recordReach(root: string, onReach: (test: string, files: readonly string[]) => void): Around {
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
        for (const { test, files: reached } of readRecords(folder)) onReach(test, reached);
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
  const files = [...filesThatRan(raw, root)].filter((file) => !file.startsWith('node_modules/'));
  for (const name of readdirSync(raw)) rmSync(path.join(raw, name), { recursive: true, force: true });
  const record: ReachRecord = { test: path.relative(root, test), files };
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
