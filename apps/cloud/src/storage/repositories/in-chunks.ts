/** Both engines limit the number of parameters of a statement. */
const CHUNK = 500;

/** Runs a statement for some of the values after another, and returns all rows. */
export async function inChunks<V, R>(
  values: readonly V[],
  run: (some: readonly V[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const rows: R[] = [];
  for (let at = 0; at < values.length; at += CHUNK) rows.push(...(await run(values.slice(at, at + CHUNK))));
  return rows;
}
