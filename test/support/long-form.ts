/** `LONG=1 npm test` runs every slow test whole; else a part of each, so that a run stays short. */
export const isLong = process.env['LONG'] === '1';

/** How many random cases to try. */
export function cases(inShort: number, inLong: number): number {
  return isLong ? inLong : inShort;
}
