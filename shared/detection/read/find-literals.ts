/**
 * Returns the start of the next of several literals from `from` on, in any case; `end` if there is none before it. A
 * longer literal that begins before the result and ends after it may be missed.
 */
export type FindLiterals = (codes: Uint16Array, from: number, end: number) => number;

/** Frequency of letters in English, in thousandths; the first entry is the space. */
const FREQUENCY = [
  180, 65, 12, 22, 34, 102, 18, 16, 49, 56, 2, 6, 32, 19, 54, 60, 15, 1, 48, 50, 73, 22, 8, 19, 1, 16, 1,
];
const SELDOM = 5;
/** Letters beyond ASCII share this many codes below the space. */
const OTHERS = 31;

/** Folds a code for the search: lower case, whitespace to a space, letters beyond ASCII to one of a few codes. */
const LOWER = new Uint8Array(65_536);
for (let code = 0; code < 65_536; code++) {
  const character = String.fromCharCode(code);
  const lower = character.toLowerCase().charCodeAt(0);
  LOWER[code] = /\s/.test(character) ? 32 : lower < 128 ? lower : 1 + (lower % OTHERS);
}

function pairOf(one: number, next: number): number {
  return (LOWER[one]! << 7) | LOWER[next]!;
}

function oftenness(code: number): number {
  const letter = LOWER[code]! - 96;
  return LOWER[code] === 32 ? FREQUENCY[0]! : letter > 0 && letter < 27 ? FREQUENCY[letter]! : SELDOM;
}

/**
 * Creates a search for all `literals` at once; they are lower case. Each literal is represented by its rarest run of
 * consecutive pairs; all runs are as long as the shortest literal allows, so testing one pair every `step` characters
 * misses none. With a literal of a single character, every position is a possible match.
 */
export function createFinder(literals: readonly string[]): FindLiterals {
  const step = Math.min(...literals.map(({ length }) => length)) - 1;
  if (step < 1) return (_codes, from) => from;
  /** By pair: the characters that may follow it, one bit for each of 32 classes. */
  const follow = new Int32Array(1 << 14);
  /** One bit for each pair with such characters: small enough to stay in the fastest cache. */
  const begins = new Uint8Array(1 << 11);
  const known = new Map<number, { readonly literal: string; readonly offset: number }[]>();
  for (const literal of new Set(literals)) {
    const first = rarest(literal, step);
    for (let offset = first; offset < first + step; offset++) {
      const pair = pairOf(literal.charCodeAt(offset), literal.charCodeAt(offset + 1));
      follow[pair]! |= offset + 2 < literal.length ? 1 << LOWER[literal.charCodeAt(offset + 2)]! : -1;
      begins[pair >>> 3]! |= 1 << (pair & 7);
      known.set(pair, [...(known.get(pair) ?? []), { literal, offset }]);
    }
  }
  return (codes, from, end) => {
    for (let i = from; i < end; i += step) {
      const pair = (LOWER[codes[i]!]! << 7) | LOWER[codes[i + 1]!]!;
      const isSeen = ((begins[pair >>> 3]! >>> (pair & 7)) & 1) === 1;
      if (!isSeen || ((follow[pair]! >>> LOWER[codes[i + 2]!]!) & 1) === 0) continue;
      for (const { literal, offset } of known.get(pair)!) {
        const start = i - offset;
        if (start >= from && start + literal.length <= end && stands(literal, codes, start)) return start;
      }
    }
    return end;
  };
}

/** Returns the start of the rarest `count` consecutive pairs. */
function rarest(literal: string, count: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let first = 0; first + count < literal.length; first++) {
    let often = 0;
    for (let at = first; at < first + count; at++)
      often += oftenness(literal.charCodeAt(at)) * oftenness(literal.charCodeAt(at + 1));
    if (often < least) {
      least = often;
      best = first;
    }
  }
  return best;
}

function stands(literal: string, codes: Uint16Array, start: number): boolean {
  for (let i = 0; i < literal.length; i++)
    if (LOWER[codes[start + i]!] !== LOWER[literal.charCodeAt(i)]) return false;
  return true;
}
