const NUMBER = /\d+(?:[.,' ]\d{3})*/g;
/** Each is compared with each of another text: so many of a text count. */
const MAX_NUMBERS = 40;

/** The first numbers of a text, those with separators as one. */
export function numbersIn(text: string): string[] {
  const found: string[] = [];
  for (const [number] of text.matchAll(NUMBER)) {
    found.push(number.replace(/\D/g, ''));
    if (found.length === MAX_NUMBERS) break;
  }
  return found;
}

/** How near the numbers of a text come to others: 0 one of both has none, 1 far, 2 as many digits, 3 near or a part. */
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
  if (ratio > 0.8 && ratio < 1.25) return 3;
  return number.length === other.length ? 2 : 1;
}
