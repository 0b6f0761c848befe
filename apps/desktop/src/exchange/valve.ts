/** A flow that is paused while at least one holder holds it. */
export interface Valve<Holder extends string> {
  hold(holder: Holder): void;
  release(holder: Holder): void;
}

export function createValve<Holder extends string>(
  flow: { pause(): void; resume(): void },
  first: readonly Holder[],
): Valve<Holder> {
  const holders = new Set<Holder>(first);
  return {
    hold(holder) {
      holders.add(holder);
      flow.pause();
    },
    release(holder) {
      if (holders.delete(holder) && holders.size === 0) flow.resume();
    },
  };
}
