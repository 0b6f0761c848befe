import { ATTACK } from '../operating-points/attacks.ts';

const NUMBER = /\d+(?:[.,' ]\d{3})*/g;
/** Each number is compared with each of another text, so the count is limited. */
const MAX_NUMBERS = 40;

/** Returns the first numbers of a text; digits with group separators are one number. */
export function numbersIn(text: string): string[] {
  const found: string[] = [];
  for (const [number] of text.matchAll(NUMBER)) {
    found.push(number.replace(/\D/g, ''));
    if (found.length === MAX_NUMBERS) break;
  }
  return found;
}

/**
 * Rates how close the numbers of a text are to the guarded ones: 0 one of both has none, 1 far, 2 equal number of
 * digits, 3 near or a part.
 */
export function nearestNumber(text: string, guarded: readonly string[]): number {
  if (guarded.length === 0) return 0;
  let nearest = 0;
  for (const number of numbersIn(text))
    for (const other of guarded) nearest = Math.max(nearest, nearness(number, other));
  return nearest;
}

function nearness(number: string, other: string): number {
  if (number === other || (number.length > 1 && other.includes(number))) return 3;
  const ratio = Number(number) / Number(other);
  if (ratio > ATTACK.nearNumberLeast && ratio < ATTACK.nearNumberMost) return 3;
  return number.length === other.length ? 2 : 1;
}
