import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** As Node writes it to `NODE_V8_COVERAGE`, a file for each process. */
interface ProcessCoverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** For each process, the ranges of a source file and how often they ran. */
export type Ran = readonly (readonly Range[])[];

/** What a test ran of each source file. */
export type Coverage = ReadonlyMap<string, Ran>;

/** The coverage in `folder` of `files` below `root`. Stripping types keeps all offsets. */
export function readCoverage(folder: string, root: string, files: ReadonlySet<string>): Coverage {
  const base = `${pathToFileURL(root).href}/`;
  const coverage = new Map<string, (readonly Range[])[]>();
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.json')) continue;
    const { result } = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as ProcessCoverage;
    for (const { url, functions } of result) {
      const file = url.startsWith(base) ? url.slice(base.length) : '';
      if (!files.has(file)) continue;
      coverage.set(file, [...(coverage.get(file) ?? []), functions.flatMap(({ ranges }) => ranges)]);
    }
  }
  return coverage;
}

/** What either of two ran. */
export function joinCoverage(one: Coverage, other: Coverage): Coverage {
  const files = new Set([...one.keys(), ...other.keys()]);
  return new Map(
    [...files].map((file) => [file, [...(one.get(file) ?? []), ...(other.get(file) ?? [])]] as const),
  );
}

/** Whether the code at an offset of a file ran: the narrowest range around it says so. */
export function hasRun(coverage: Coverage, file: string, offset: number): boolean {
  return (coverage.get(file) ?? []).some((ranges) => {
    const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
    const sizeOf = ({ startOffset, endOffset }: Range) => endOffset - startOffset;
    const narrowest = around.sort((one, other) => sizeOf(one) - sizeOf(other))[0];
    return narrowest !== undefined && narrowest.count > 0;
  });
}
