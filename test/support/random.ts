/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Choices by such numbers. Training draws with them: the same seed gives the same weights. */
export interface Random {
  next(): number;
  below(n: number): number;
  pick<T>(items: readonly T[]): T;
  chance(p: number): boolean;
  /** Returns the same items in random order. */
  shuffled<T>(items: readonly T[]): T[];
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  const below = (n: number): number => Math.floor(next() * n);
  return {
    next,
    below,
    pick: (items) => items[below(items.length)]!,
    chance: (p) => next() < p,
    shuffled(items) {
      const order = [...items];
      for (let i = order.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [order[i], order[j]] = [order[j]!, order[i]!];
      }
      return order;
    },
  };
}
