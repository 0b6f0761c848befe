import path from 'node:path';

/** As c8 writes it: by absolute path, and `total`. */
export type CoverageSummary = Readonly<Record<string, { readonly lines: { readonly pct: number } }>>;

export interface FileCoverage {
  readonly file: string;
  /** Of the lines, 0 to 100. */
  readonly percent: number;
}

/** Files of which less than `least` percent ran, the least first; `expected` that were never loaded have 0. */
export function belowLimit(
  root: string,
  { total: _, ...files }: CoverageSummary,
  least: number,
  expected: readonly string[],
): FileCoverage[] {
  const percents = new Map(expected.map((file) => [file, 0]));
  for (const [file, { lines }] of Object.entries(files)) percents.set(path.relative(root, file), lines.pct);
  return [...percents]
    .map(([file, percent]) => ({ file, percent }))
    .filter(({ percent }) => percent < least)
    .sort((a, b) => a.percent - b.percent || a.file.localeCompare(b.file));
}
