import { type Range, readCoverage as readRanges } from '../../testing/coverage/read-coverage.ts';

/** For each process, the ranges of a source file and their execution counts. */
export type Ran = readonly (readonly Range[])[];

/** The coverage of each source file by one test. */
export type Coverage = ReadonlyMap<string, Ran>;

/** Reads the coverage in `folder` of `files` below `root`. Stripping types keeps all offsets. */
export function readCoverage(folder: string, root: string, files: ReadonlySet<string>): Coverage {
  const coverage = new Map<string, (readonly Range[])[]>();
  readRanges(folder, root, (file, ranges) => {
    if (files.has(file)) coverage.set(file, [...(coverage.get(file) ?? []), ranges]);
  });
  return coverage;
}

/** Returns the union of two coverages. */
export function joinCoverage(one: Coverage, other: Coverage): Coverage {
  const files = new Set([...one.keys(), ...other.keys()]);
  return new Map(
    [...files].map((file) => [file, [...(one.get(file) ?? []), ...(other.get(file) ?? [])]] as const),
  );
}

/** True if the code at an offset of a file ran: the narrowest range around it decides. */
export function hasRun(coverage: Coverage, file: string, offset: number): boolean {
  return (coverage.get(file) ?? []).some((ranges) => {
    const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
    const sizeOf = ({ startOffset, endOffset }: Range) => endOffset - startOffset;
    const narrowest = around.sort((one, other) => sizeOf(one) - sizeOf(other))[0];
    return narrowest !== undefined && narrowest.count > 0;
  });
}
