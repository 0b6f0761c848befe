/** Counts the turns of the event loop during `work`: few if it ran on this thread. */
export async function turnsDuring<T>(
  work: () => Promise<T>,
): Promise<{ readonly turns: number; readonly result: T }> {
  let turns = 0;
  let next = setImmediate(count);
  function count(): void {
    turns++;
    next = setImmediate(count);
  }
  try {
    return { result: await work(), turns };
  } finally {
    clearImmediate(next);
  }
}
