import type { Storage } from '../storage/storage.ts';

export interface PruneDeps {
  readonly storage: Pick<Storage, 'idempotency' | 'agentCalls'>;
  readonly now: () => number;
  readonly log: { error(fields: object, message: string): void };
}

const EVERY_MS = 10 * 60_000;
const AGENT_CALLS_KEPT_MS = 90 * 24 * 60 * 60_000;

/** Deletes what is kept only for a time, now and every ten minutes, until stopped. Several instances may do so. */
export function startPruning(deps: PruneDeps): { stop(): void } {
  const prune = (): void => {
    deps.storage.idempotency.prune(deps.now()).catch((error: unknown) => {
      deps.log.error({ err: error }, 'old idempotency records could not be deleted');
    });
    deps.storage.agentCalls.prune(deps.now() - AGENT_CALLS_KEPT_MS).catch((error: unknown) => {
      deps.log.error({ err: error }, 'old tool calls of agents could not be deleted');
    });
  };
  prune();
  const timer = setInterval(prune, EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
