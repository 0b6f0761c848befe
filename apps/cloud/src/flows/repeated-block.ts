import { EMPTY_VERDICT } from '@csg/shared/decision';
import type { Storage } from '../storage/storage.ts';
import type { Provider } from '../upstream/providers.ts';
import type { Principal } from './authenticate-key.ts';
import { blockedError } from './blocked-error.ts';
import type { Clock } from './clock.ts';
import type { Evaluation } from './decision/evaluate.ts';
import type { Links } from './links.ts';
import type { RelayRequest } from './relay-request.ts';

/**
 * Agents that automatically retry after a blocked response, by their User-Agent: Claude Code once without a stream,
 * Gemini CLI three times within ten seconds.
 */
const REPEATING_AGENTS = /^(?:claude-cli|GeminiCLI)/;
/** A block is repeated for one to two periods. One period is longer than all retries of a request take. */
const PERIOD_MS = 15_000;

/** Stores that the response to this request was blocked. */
export type StoreBlock = (evaluation: Evaluation) => Promise<void>;

interface RepeatedBlockDeps {
  readonly storage: Pick<Storage, 'conversationNotes'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly links: Links;
}

type StoredBlock = Pick<Evaluation, 'eventId' | 'confidence' | 'threatType'> &
  Pick<Evaluation['verdict'], 'threats'>;

/**
 * Rejects a retry of a request, with the same key, whose response was just blocked, so that it costs no second
 * generation. The error is that of a whole response, after which these agents stop. Other clients are never rejected: a
 * person who repeats a request wants another response, and undefined is returned for it.
 */
export async function rejectRepeated(
  { storage: { conversationNotes }, clock, links }: RepeatedBlockDeps,
  principal: Principal,
  request: Pick<RelayRequest, 'endpoint' | 'params' | 'headers' | 'value'>,
  provider: Provider,
  onEvaluated: (evaluation: Evaluation) => void,
): Promise<StoreBlock | undefined> {
  if (!REPEATING_AGENTS.test(request.headers['user-agent'] ?? '')) return undefined;
  const parts = partsOf(principal, request, provider);
  const keyAt = (period: number): string =>
    conversationNotes.keyOf(principal, 'block', [...parts, String(period)]);
  const periodNow = (): number => Math.floor(clock.now() / PERIOD_MS);
  const period = periodNow();
  const notes = await conversationNotes.find(principal, [keyAt(period), keyAt(period - 1)]);
  const [stored] = notes.values();
  if (stored !== undefined) {
    const block = evaluationOf(JSON.parse(stored) as StoredBlock);
    onEvaluated(block);
    throw blockedError(links, 'response_blocked', block);
  }
  return async ({ decision, eventId, confidence, threatType, verdict }) => {
    // A response under review may be approved at any moment.
    if (decision !== 'block' || verdict.review !== undefined) return;
    const block: StoredBlock = { eventId, confidence, threatType, threats: verdict.threats };
    await conversationNotes.keep(principal, new Map([[keyAt(periodNow()), JSON.stringify(block)]]));
  };
}

/** Returns the parts that identify a request, regardless of streaming. */
function partsOf(
  { keyId, ruleset }: Principal,
  { endpoint, params, value }: Pick<RelayRequest, 'endpoint' | 'params' | 'value'>,
  provider: Provider,
): readonly string[] {
  const { stream: _, ...body } = (value ?? {}) as Record<string, unknown>;
  const request = [endpoint.name, JSON.stringify(params), JSON.stringify(body)];
  return [keyId, String(ruleset.number), provider.name, ...request];
}

function evaluationOf({ eventId, confidence, threatType, threats }: StoredBlock): Evaluation {
  const block = { decision: 'block', confidence, threatType } as const;
  return {
    ...block,
    eventId,
    verdict: { ...EMPTY_VERDICT, ...block, threats },
    scanMs: 0,
    isUnscanned: false,
  };
}
