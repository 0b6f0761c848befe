/** Maximum number of placeholders in one list. */
const MAX_IDS = 500;
const MAX_LIST = 200;
const DEFAULT_LIST = 50;

export function listSize(limit: number | undefined): number {
  return Math.max(1, Math.min(limit ?? DEFAULT_LIST, MAX_LIST));
}

/** Queries in steps that fit into one statement. */
export async function inSteps<T>(
  ids: readonly string[],
  ask: (step: readonly string[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let at = 0; at < ids.length; at += MAX_IDS) found.push(...(await ask(ids.slice(at, at + MAX_IDS))));
  return found;
}
