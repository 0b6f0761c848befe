import type { Agent } from 'undici';
import { type GuardRules, guardedDispatcher } from './guarded-connector.ts';

export interface GuardedDispatchers {
  of(origin: string): Agent;
  destroy(): Promise<void>;
}

const MAX_DISPATCHERS = 200;

/** Reuses connections for a while, by origin; each is opened through the guard. */
export function createGuardedDispatchers(rules: GuardRules = {}): GuardedDispatchers {
  const dispatchers = new Map<string, Agent>();
  return {
    of(origin) {
      let found = dispatchers.get(origin);
      if (found === undefined) {
        if (dispatchers.size >= MAX_DISPATCHERS) {
          const [oldest, agent] = dispatchers.entries().next().value!;
          dispatchers.delete(oldest);
          void agent.close();
        }
        found = guardedDispatcher(rules);
        dispatchers.set(origin, found);
      }
      return found;
    },
    async destroy() {
      await Promise.all([...dispatchers.values()].map((agent) => agent.destroy()));
    },
  };
}
