/** Returns so many of the items, in their order: the first of each key, wherever it is, and else those that come first. */
export function firstOfEach<T>(
  items: readonly T[],
  keyOf: (item: T) => unknown,
  count: number,
): readonly T[] {
  if (items.length <= count) return items;
  const firsts = new Map<unknown, number>();
  for (const [at, item] of items.entries()) {
    const key = keyOf(item);
    if (!firsts.has(key)) firsts.set(key, at);
  }
  const chosen = new Set([...firsts.values()].slice(0, count));
  for (let at = 0; chosen.size < count; at++) chosen.add(at);
  return items.filter((_, at) => chosen.has(at));
}
