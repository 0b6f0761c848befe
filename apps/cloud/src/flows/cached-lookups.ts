import { createHash } from 'node:crypto';
import type { UpstreamResponse } from '../upstream/send.ts';
import type { Principal } from './authenticate-key.ts';
import type { Clock } from './clock.ts';
import type { EvaluatedResponse } from './evaluate-response.ts';

/** Clients poll while they wait for a background response. */
const REUSE_MS = 600_000;
/** Shorter for blocks, which an approval may have lifted in the meantime. */
const REUSE_BLOCK_MS = 10_000;
const MAX_CACHED = 2_000;

interface CachedLookup {
  readonly evaluated: EvaluatedResponse;
  readonly untilMs: number;
}

/** Caches evaluations of responses that are fetched repeatedly, so that each content is recorded once. */
export class CachedLookups {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #byContent = new Map<string, CachedLookup>();

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  find(key: string): EvaluatedResponse | undefined {
    const found = this.#byContent.get(key);
    if (found === undefined || this.#clock.elapsed() < found.untilMs) return found?.evaluated;
    this.#byContent.delete(key);
    return undefined;
  }

  keep(key: string, evaluated: EvaluatedResponse): void {
    const { decision, isUnscanned } = evaluated.evaluation;
    if (isUnscanned || evaluated.rejection !== null) return;
    const reuseMs = decision === 'block' ? REUSE_BLOCK_MS : REUSE_MS;
    this.#byContent.delete(key);
    this.#byContent.set(key, { evaluated, untilMs: this.#clock.elapsed() + reuseMs });
    const [oldest] = this.#byContent.keys();
    if (this.#byContent.size > MAX_CACHED && oldest !== undefined) this.#byContent.delete(oldest);
  }
}

/** Returns a key for the same content, evaluated by the same rules for the same project. */
export function lookupKey(principal: Principal, route: string, response: UpstreamResponse): string {
  const { organizationId, projectId, ruleset } = principal;
  const digest = createHash('sha256').update(response.kind).update(response.body).digest('base64');
  return JSON.stringify([organizationId, projectId, ruleset.number, route, response.status, digest]);
}
