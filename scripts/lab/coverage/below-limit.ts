import { percentOf } from './tested-by.ts';

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
