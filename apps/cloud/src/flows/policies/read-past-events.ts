import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SecurityEvent, Storage } from '../../storage/storage.ts';

export interface PastEventsDeps {
  readonly storage: Pick<Storage, 'events' | 'eventCounts'>;
  /** How many events are read at most; of more, a sample. */
  readonly maxPastEvents?: number;
}

export interface PastSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly projectId?: string;
}

export interface PastEvents {
  /** Events in which something was found. */
  readonly total: number;
  readonly isSample: boolean;
  /** Each event, and how many it stands for. */
  readonly events: AsyncIterable<{ readonly event: SecurityEvent; readonly weight: number }>;
}

const MAX_PAST_EVENTS = 50_000;
const PAGE = 500;
/** A sample takes its share of each of these, so that it is true for days whose hours differ. */
const SLICES = 200;

interface Slice extends PastSpan {
  readonly count: number;
}

/** What was found in a span: every event, or, if there are too many, the same share of each short slice of it. */
export async function readPastEvents(
  deps: PastEventsDeps,
  organizationId: string,
  span: PastSpan,
): Promise<PastEvents> {
  const { maxPastEvents = MAX_PAST_EVENTS } = deps;
  const slices: Slice[] = [];
  const width = Math.max(1, Math.ceil((span.toMs - span.fromMs) / SLICES));
  for (let fromMs = span.fromMs; fromMs < span.toMs; fromMs += width) {
    const slice = { ...span, fromMs, toMs: Math.min(fromMs + width, span.toMs) };
    const count = await deps.storage.eventCounts.countFound(organizationId, slice);
    if (count > 0) slices.push({ ...slice, count });
  }
  const total = slices.reduce((sum, { count }) => sum + count, 0);
  const share = Math.min(1, maxPastEvents / total);
  return { total, isSample: share < 1, events: walk(deps, organizationId, slices, share) };
}

async function* walk(
  { storage }: PastEventsDeps,
  organizationId: string,
  slices: readonly Slice[],
  share: number,
): AsyncGenerator<{ readonly event: SecurityEvent; readonly weight: number }> {
  // Newest first, as people look at examples.
  for (const { count, ...filter } of slices.toReversed()) {
    const wanted = Math.ceil(count * share);
    const weight = count / wanted;
    let after: string | undefined;
    for (let read = 0; read < wanted; ) {
      const page = await storage.events.page(organizationId, {
        filter: { ...filter, hasFindings: true },
        limit: Math.min(PAGE, wanted - read),
        ...(after === undefined ? {} : { after }),
      });
      for (const event of page.events) yield { event, weight };
      read += page.events.length;
      await nextTurn();
      if (page.next === null) break;
      after = page.next;
    }
  }
}
