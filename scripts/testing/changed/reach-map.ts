import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The files that each test file ran, in its last recorded run. */
export type ReachMap = ReadonlyMap<string, ReadonlySet<string>>;

const fileOf = (root: string): string => path.join(root, 'node_modules/.cache/test-reach.json');

/** Returns undefined if no run of this copy of the project was recorded. */
export function readReachMap(root: string): ReachMap | undefined {
  try {
    const stored = JSON.parse(readFileSync(fileOf(root), 'utf8')) as Record<string, string[]>;
    return new Map(Object.entries(stored).map(([test, files]) => [test, new Set(files)]));
  } catch (error) {
    // None yet, or one that was cut off by a full disk: it is made again.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Adds what was recorded to the map; tests that no longer exist leave it. */
export function writeReachMap(root: string, recorded: ReachMap, tests: readonly string[]): void {
  const all = new Map([...(readReachMap(root) ?? []), ...recorded]);
  const kept = tests.filter((test) => all.has(test)).map((test) => [test, [...all.get(test)!].sort()]);
  const file = fileOf(root);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(Object.fromEntries(kept)));
  renameSync(`${file}.${process.pid}`, file);
}
