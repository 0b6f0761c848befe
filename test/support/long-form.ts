/** `LONG=1 npm test` runs every slow test completely; otherwise a part of each, so that a run stays short. */
export const isLong = process.env['LONG'] === '1';

/** The number of random cases to try. */
export function cases(inShort: number, inLong: number): number {
  return isLong ? inLong : inShort;
}
