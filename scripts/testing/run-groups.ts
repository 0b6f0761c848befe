/** Test files that share a process. */
export type Group = [string, ...string[]];

/** Runs all groups in order, `runners` at the same time, until the signal aborts. */
export async function runGroups(
  groups: readonly Group[],
  { runners, signal }: { readonly runners: number; readonly signal: AbortSignal },
  run: (group: Group) => Promise<void>,
): Promise<void> {
  const waiting = [...groups];
  const runWaiting = async () => {
    for (let group = waiting.shift(); group !== undefined && !signal.aborted; group = waiting.shift()) {
      await run(group);
    }
  };
  await Promise.all(Array.from({ length: runners }, runWaiting));
}
