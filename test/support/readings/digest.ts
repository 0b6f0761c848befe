import { createHash } from 'node:crypto';

/** Long enough to detect any change. */
export const digest = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, (_, one: unknown) => (one === undefined ? '#undefined' : one)) ?? '')
    .digest('hex')
    .slice(0, 6);

/** An error is a reading, too. */
export function tried<T>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    return String(error);
  }
}
