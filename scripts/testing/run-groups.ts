/** Test files that share a process. */
export type Group = [string, ...string[]];

export interface GroupsOptions {
  /** How many groups run at the same time. */
  readonly runners: number;
  /** If at most so many groups fail, each is repeated once at the end, with nothing else running. */
  readonly maxRepeated: number;
  readonly signal: AbortSignal;
}

/** Runs all groups in order; `report` knows which of them failed. */
export async function runGroups(
  groups: readonly Group[],
  { runners, maxRepeated, signal }: GroupsOptions,
  report: { hasFailed(group: Group): boolean; repeat(group: Group): void },
  run: (group: Group) => Promise<void>,
): Promise<void> {
  const waiting = [...groups];
  const runWaiting = async () => {
    for (let group = waiting.shift(); group !== undefined && !signal.aborted; group = waiting.shift()) {
      await run(group);
    }
  };
  await Promise.all(Array.from({ length: runners }, runWaiting));
  const failed = groups.filter((group) => report.hasFailed(group));
  if (failed.length > maxRepeated) return;
  for (const group of failed) {
    if (signal.aborted) return;
    report.repeat(group);
    await run(group);
  }
}
