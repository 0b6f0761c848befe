import type { EndpointCalls, Storage } from '../../storage/storage.ts';

/** Counts successful calls of policy endpoints, because a write for each would double the cost of a decision. */
export interface CallCounter {
  note(endpointId: string): void;
  /** Writes what was counted since the last time; what could not be written is kept for the next time. */
  flush(): Promise<void>;
}

export function createCallCounter(deps: {
  readonly storage: Pick<Storage, 'endpoints'>;
  readonly clock: { now(): number };
}): CallCounter {
  let counted = new Map<string, EndpointCalls>();
  const add = ({ endpointId, succeeded, lastSuccessAtMs }: EndpointCalls): void => {
    const before = counted.get(endpointId);
    counted.set(endpointId, {
      endpointId,
      succeeded: succeeded + (before?.succeeded ?? 0),
      lastSuccessAtMs: Math.max(lastSuccessAtMs, before?.lastSuccessAtMs ?? 0),
    });
  };
  return {
    note: (endpointId) => add({ endpointId, succeeded: 1, lastSuccessAtMs: deps.clock.now() }),
    async flush() {
      const calls = [...counted.values()];
      counted = new Map();
      try {
        await deps.storage.endpoints.addCalls(calls);
      } catch (error) {
        calls.forEach(add);
        throw error;
      }
    },
  };
}
