import type { Kysely } from 'kysely';
import { readEventsById } from '../events-by-id.ts';
import type { AuditReport } from '../model/audit.ts';
import type { Database } from '../schema.ts';
import { readDeletedEvents } from './deleted-events.ts';
import { eventDigest } from './event-digest.ts';
import { readChain, type StoredAuditRow } from './read-chain.ts';

const DECISION_KINDS: ReadonlySet<string> = new Set(['policy_allow', 'policy_block']);
const PAGE = 500;
const MAX_LISTED = 1_000;

export type EventsReport = Pick<
  AuditReport,
  'events_checked' | 'events_changed' | 'events_missing' | 'events_unrecorded' | 'events_covered_from'
>;

export interface EventsVerifier {
  /** Takes the next row of the chain, which must be unchanged. */
  see(row: StoredAuditRow): Promise<void>;
  /** Returns the report, after the last row. */
  finish(): Promise<EventsReport>;
}

interface Decision {
  readonly seq: number;
  readonly eventId: string;
  /** null: written by a version that stored no digest. */
  readonly digest: string | null;
  readonly projectId: string | null;
  readonly atMs: number;
}

type Add = (seq: number, reason: 'event_changed' | 'event_missing', message: string) => void;

/**
 * Compares the events of an organization with the digests in their audit rows. `total` is the number of events when
 * the end of the chain was read; an event that no row names was written by another program.
 */
export async function createEventsVerifier(
  db: Kysely<Database>,
  organizationId: string,
  total: number,
  add: Add,
): Promise<EventsVerifier> {
  const deleted = await readDeletedEvents(db, organizationId);
  const changed: string[] = [];
  const absent: Decision[] = [];
  let pending: Decision[] = [];
  let checked = 0;
  let present = 0;
  let coveredFrom = 1;

  async function compare(): Promise<void> {
    const decisions = pending;
    pending = [];
    if (decisions.length === 0) return;
    const ids = decisions.map((decision) => decision.eventId);
    const rows = await readEventsById(db, organizationId, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    present += rows.length;
    for (const decision of decisions) {
      if (decision.digest !== null) compareOne(decision, byId.get(decision.eventId));
    }
  }

  function compareOne(decision: Decision, row: Parameters<typeof eventDigest>[0] | undefined): void {
    const { seq, eventId, digest, projectId, atMs } = decision;
    if (row === undefined) {
      if (!deleted.has(seq, projectId, atMs)) absent.push(decision);
    } else if (eventDigest(row) === digest) checked += 1;
    else {
      if (changed.length < MAX_LISTED) changed.push(eventId);
      add(seq, 'event_changed', `Event ${eventId} is not as row ${seq} recorded it.`);
    }
  }

  return {
    async see(row) {
      if (!DECISION_KINDS.has(row.kind)) return;
      const decision = readDecision(row);
      if (decision.digest === null) coveredFrom = row.seq + 1;
      pending.push(decision);
      if (pending.length >= PAGE) await compare();
    },

    async finish() {
      await compare();
      // Retention may have deleted some while the chain was read.
      const now = absent.length === 0 ? deleted : await readDeletedEvents(db, organizationId);
      const missing = absent.filter(({ seq, projectId, atMs }) => !now.has(seq, projectId, atMs));
      for (const { seq, eventId } of missing)
        add(seq, 'event_missing', `Event ${eventId}, recorded in row ${seq}, is missing.`);
      return {
        events_checked: checked,
        events_changed: changed,
        events_missing: missing.slice(0, MAX_LISTED).map(({ eventId }) => eventId),
        events_unrecorded: present < total ? await findUnrecordedEvents(db, organizationId, MAX_LISTED) : [],
        events_covered_from: coveredFrom,
      };
    },
  };
}

function readDecision({ seq, subject, at_ms, data }: StoredAuditRow): Decision {
  const { event_sha256, project_id, decided_at_ms } = JSON.parse(data) as Record<string, unknown>;
  return {
    seq,
    eventId: subject,
    digest: typeof event_sha256 === 'string' ? event_sha256 : null,
    projectId: typeof project_id === 'string' ? project_id : null,
    // A device's decision is recorded later than it was made.
    atMs: typeof decided_at_ms === 'number' ? decided_at_ms : at_ms,
  };
}

/** Number of ids compared in one pass over the chain; bounds the memory. */
const STEP = 200_000;

/**
 * Returns ids of events that no audit row names, at most `limit`. Reads the whole chain once for every 200,000 events,
 * because the chain has no index by event: called only if there are more events than the chain records.
 */
async function findUnrecordedEvents(
  db: Kysely<Database>,
  organizationId: string,
  limit: number,
): Promise<string[]> {
  const found: string[] = [];
  for (let after = ''; found.length < limit; ) {
    const rows = await db
      .selectFrom('security_events')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(STEP)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    const unknown = new Set(rows.map((row) => row.id));
    for await (const row of readChain(db, organizationId, Number.MAX_SAFE_INTEGER))
      unknown.delete(row.subject);
    found.push(...[...unknown].slice(0, limit - found.length));
  }
  return found;
}
