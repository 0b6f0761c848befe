import { createHash } from 'node:crypto';
import type { UpstreamResponse } from '../upstream/send.ts';
import type { Principal } from './authenticate-key.ts';
import type { Clock } from './clock.ts';
import type { EvaluatedResponse } from './evaluate-response.ts';

/** A client that waits for a background response asks again and again. */
const REUSE_MS = 600_000;
/** What an approval may have changed meanwhile. */
const REUSE_BLOCK_MS = 10_000;
const MAX_REMEMBERED = 2_000;

interface Remembered {
  readonly evaluated: EvaluatedResponse;
  readonly untilMs: number;
}

/** Evaluations of responses that are fetched more than once, so that each content is recorded once. */
export class RememberedLookups {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #byContent = new Map<string, Remembered>();

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
    if (this.#byContent.size > MAX_REMEMBERED && oldest !== undefined) this.#byContent.delete(oldest);
  }
}

/** The same content, judged by the same rules for the same project. */
export function lookupKey(principal: Principal, route: string, response: UpstreamResponse): string {
  const { organizationId, projectId, ruleset } = principal;
  const digest = createHash('sha256').update(response.kind).update(response.body).digest('base64');
  return JSON.stringify([organizationId, projectId, ruleset.number, route, response.status, digest]);
}
