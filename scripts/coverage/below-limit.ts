import { percentOf } from './tested-by.ts';

export interface FileCoverage {
  readonly file: string;
  readonly percent: number;
}

/** Files of which less than `least` percent ran, the least first. */
export function belowLimit(ran: ReadonlyMap<string, Uint8Array>, least: number): FileCoverage[] {
  return [...ran]
    .map(([file, statements]) => ({ file, percent: percentOf(statements) }))
    .filter(({ percent }) => percent < least)
    .sort((a, b) => a.percent - b.percent || a.file.localeCompare(b.file));
}
