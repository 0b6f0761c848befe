import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** By file, the digests of its functions that ran, and of what is outside of them. */
export type Reached = ReadonlyMap<string, ReadonlySet<string>>;

/** What each test file ran in its last recorded run. */
export type ReachMap = ReadonlyMap<string, Reached>;

/** Tests run the same functions: each is stored once, and named by its index. */
interface Stored {
  readonly parts: readonly (readonly [file: string, digest: string])[];
  readonly tests: Readonly<Record<string, readonly number[]>>;
}

const fileOf = (root: string): string => path.join(root, 'node_modules/.cache/test-reach-2.json');

/** Returns undefined if no run of this copy of the project was recorded. */
export function readReachMap(root: string): ReachMap | undefined {
  try {
    const { parts, tests } = JSON.parse(readFileSync(fileOf(root), 'utf8')) as Stored;
    return new Map(
      Object.entries(tests).map(([test, indexes]) => [test, unite(indexes.map((i) => parts[i]!))]),
    );
  } catch (error) {
    // None yet, or one that was cut off by a full disk: it is made again.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Adds what was recorded to the map; tests that no longer exist leave it. */
export function writeReachMap(root: string, recorded: ReachMap, tests: readonly string[]): void {
  const all = new Map([...(readReachMap(root) ?? []), ...recorded]);
  const indexes = new Map<string, number>();
  const parts: [string, string][] = [];
  const indexOf = (file: string, digest: string): number => {
    const key = `${file} ${digest}`;
    const index = indexes.get(key) ?? parts.push([file, digest]) - 1;
    indexes.set(key, index);
    return index;
  };
  const kept = tests
    .filter((test) => all.has(test))
    .map((test) => [
      test,
      [...all.get(test)!].flatMap(([file, digests]) => [...digests].map((digest) => indexOf(file, digest))),
    ]);
  const file = fileOf(root);
  mkdirSync(path.dirname(file), { recursive: true });
  const stored = { parts, tests: Object.fromEntries(kept) } satisfies Stored;
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(stored));
  renameSync(`${file}.${process.pid}`, file);
}

/** Joins what several processes ran. */
export function joinReached(one: Reached, other: Reached): Reached {
  return unite(
    [one, other].flatMap((reached) =>
      [...reached].flatMap(([file, all]) => [...all].map((digest) => [file, digest] as const)),
    ),
  );
}

function unite(parts: readonly (readonly [file: string, digest: string])[]): Reached {
  const reached = new Map<string, Set<string>>();
  for (const [file, digest] of parts) {
    const digests = reached.get(file) ?? new Set();
    reached.set(file, digests.add(digest));
  }
  return reached;
}
