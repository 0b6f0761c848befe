import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Ran } from './coverage.ts';
import type { Covered } from './sandbox.ts';

/**
 * A cache of test coverage across runs of this command, because measuring it takes far longer than running the tests of
 * one change. An entry is valid for an unchanged source, while the test and its helpers are unchanged.
 */
export interface StoredCoverage {
  /** Undefined unless all of `files` are known. */
  find(test: string, files: ReadonlySet<string>): Covered | undefined;
  keep(test: string, files: ReadonlySet<string>, covered: Covered): void;
}

interface Entry {
  readonly test: string;
  readonly ms: number;
  /** The state of each source at that time, and its coverage by the test. */
  readonly sources: Readonly<Record<string, readonly [state: string, ran: Ran]>>;
}

/** `partsOf`: the test and the files in test folders that it reaches. */
export function openStoredCoverage(
  folder: string,
  read: (file: string) => string,
  partsOf: (test: string) => readonly string[],
): StoredCoverage {
  const states = new Map<string, string>();
  const stateOf = (file: string): string => {
    const state = states.get(file) ?? hash(read(file));
    states.set(file, state);
    return state;
  };
  const testState = (test: string) => hash(partsOf(test).map(stateOf).join());
  const fileOf = (test: string) => path.join(folder, `${hash(test)}.json.gz`);
  const readEntry = (test: string): Entry | undefined => {
    const file = fileOf(test);
    if (!existsSync(file)) return undefined;
    const entry = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Entry;
    return entry.test === testState(test) ? entry : undefined;
  };
  return {
    find(test, files) {
      const entry = readEntry(test);
      if (entry === undefined) return undefined;
      const coverage = new Map<string, Ran>();
      for (const file of files) {
        const [state, ran = []] = entry.sources[file] ?? [];
        if (state !== stateOf(file)) return undefined;
        coverage.set(file, ran);
      }
      return { ms: entry.ms, coverage };
    },
    keep(test, files, { ms, coverage }) {
      const sources = { ...readEntry(test)?.sources };
      for (const file of files) sources[file] = [stateOf(file), coverage.get(file) ?? []];
      mkdirSync(folder, { recursive: true });
      const entry: Entry = { test: testState(test), ms, sources };
      writeFileSync(fileOf(test), gzipSync(JSON.stringify(entry)));
    },
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
