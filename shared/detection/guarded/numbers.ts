const NUMBER = /\d+(?:[.,' ]\d{3})*/g;

/** The numbers of a text, those with separators as one. */
export function numbersIn(text: string): string[] {
  return Array.from(text.matchAll(NUMBER), ([found]) => found.replace(/\D/g, ''));
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
