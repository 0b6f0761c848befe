import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Node's format in `NODE_V8_COVERAGE`: one file for each write of a process or thread. */
interface RawCoverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly Range[] }[];
  }[];
}

export interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Returns the environment with which Node writes the coverage of all processes, including killed ones. */
export function coverageEnv(folder: string): Readonly<Record<string, string>> {
  const preload = pathToFileURL(path.join(import.meta.dirname, 'take-coverage.mjs')).href;
  return {
    NODE_V8_COVERAGE: folder,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${preload}`.trim(),
    // Code from the compile cache has no exact coverage.
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
}

/** Visits the ranges of each file below `root`, once for each write. Stripping types keeps all offsets. */
export function readCoverage(
  folder: string,
  root: string,
  visit: (file: string, ranges: readonly Range[]) => void,
): void {
  const base = `${pathToFileURL(root).href}/`;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.json')) continue;
    for (const { url, functions } of readRaw(path.join(folder, name)).result) {
      if (url.startsWith(base))
        visit(
          url.slice(base.length),
          functions.flatMap(({ ranges }) => ranges),
        );
    }
  }
}

/**
 * Returns by file below `root` where the functions begin that ran; that a file was loaded is not enough. A file that only
 * holds data is never among them.
 */
export function functionsThatRan(folder: string, root: string): Map<string, Set<number>> {
  const base = `${pathToFileURL(root).href}/`;
  const found = new Map<string, Set<number>>();
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.json')) continue;
    for (const { url, functions } of readRaw(path.join(folder, name)).result) {
      if (!url.startsWith(base)) continue;
      const ran = functions.filter(({ functionName, ranges: [range] }) => {
        // The module itself counts as a function; only the first write of a process has it.
        const isModule = functionName === '' && range!.startOffset === 0;
        return !isModule && range!.count > 0;
      });
      if (ran.length === 0) continue;
      const file = url.slice(base.length);
      const starts = found.get(file) ?? new Set();
      for (const { ranges } of ran) starts.add(ranges[0]!.startOffset);
      found.set(file, starts);
    }
  }
  return found;
}

function readRaw(file: string): RawCoverage {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RawCoverage;
  } catch (error) {
    // Its process was killed during the write.
    if (error instanceof SyntaxError) return { result: [] };
    throw error;
  }
}

/** Sets `ran` for each offset whose narrowest range has run; values set by earlier calls stay. */
export function markRun(ranges: readonly Range[], offsets: readonly number[], ran: Uint8Array): void {
  const counts = new Float64Array(offsets.length);
  const sizeOf = ({ startOffset, endOffset }: Range) => endOffset - startOffset;
  for (const { startOffset, endOffset, count } of ranges.toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
    for (const [index, offset] of offsets.entries()) {
      if (startOffset <= offset && offset < endOffset) counts[index] = count;
    }
  }
  for (const [index, count] of counts.entries()) if (count > 0) ran[index] = 1;
}
