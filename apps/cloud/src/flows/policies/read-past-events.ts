import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SecurityEvent, Storage } from '../../storage/storage.ts';

export interface PastEventsDeps {
  readonly storage: Pick<Storage, 'events' | 'eventCounts'>;
  /** Maximum number of events to read; if there are more, a sample is read. */
  readonly maxPastEvents?: number;
}

export interface PastSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly projectId?: string;
}

export interface PastEvents {
  /** Number of events with findings. */
  readonly total: number;
  readonly isSample: boolean;
  /** Each event, and the number of events it represents. */
  readonly events: AsyncIterable<{ readonly event: SecurityEvent; readonly weight: number }>;
}

const MAX_PAST_EVENTS = 50_000;
const PAGE = 500;
/** A sample takes the same share of each slice, so that it represents days with varying hours. */
const SLICES = 200;

interface Slice extends PastSpan {
  readonly count: number;
}

/** Reads the events with findings in a time span: all or, if too many, the same share of each short slice. */
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
  // Newest first, for the examples shown to people.
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
