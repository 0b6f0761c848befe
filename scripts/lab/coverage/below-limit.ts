export interface FileCoverage {
  readonly file: string;
  readonly percent: number;
}

/** Returns files with less than `least` percent of coverage, the lowest first. */
export function belowLimit(ran: ReadonlyMap<string, Uint8Array>, least: number): FileCoverage[] {
  return [...ran]
    .map(([file, statements]) => ({ file, percent: percentOf(statements) }))
    .filter(({ percent }) => percent < least)
    .sort((a, b) => a.percent - b.percent || a.file.localeCompare(b.file));
}

/** Rounded down; a file without statements has all of them. */
function percentOf(ran: Uint8Array): number {
  const count = ran.reduce((sum, one) => sum + one, 0);
  return ran.length === 0 ? 100 : Math.floor((100 * count) / ran.length);
}
