import { REQUEST_KINDS, type RequestKind } from '@csg/shared/contract';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { newId } from '../ids.ts';
import { type NewRequest, type RequestOf, requestTable, STORED_KINDS } from '../model/requests.ts';
import type { Database } from '../schema.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import type { Vault } from '../sealing/vault.ts';
import { toStorableText, toStorableTextOrNull } from '../stored-values.ts';

export type RequestRow = Database['requests'];
export type Condition = (q: ExpressionBuilder<Database, 'requests'>) => Expression<SqlBool>;

/** The condition of the index of open requests, word for word: so SQLite uses it. */
export const isInOpenIndex = sql<SqlBool>`status in ('pending', 'approved')`;
/** The states that also end by time. */
const ENDING = ['pending', 'approved', 'denied'] as const;

export const hasEndedAt =
  (atMs: number): Condition =>
  (q) =>
    q('ends_at_ms', '<=', atMs);

/** The time decides, even before the end is stored. */
export const goesOnAt =
  (atMs: number): Condition =>
  (q) =>
    q.or([q('ends_at_ms', 'is', null), q('ends_at_ms', '>', atMs)]);

/** Matches requests that have this status at this time. */
export function statusIsAt(status: RequestRow['status'], atMs: number): Condition {
  switch (status) {
    case 'pending':
    case 'approved':
      return (q) => q.and([isInOpenIndex, q('status', '=', status), goesOnAt(atMs)(q)]);
    case 'denied':
      return (q) => q.and([q('status', '=', status), goesOnAt(atMs)(q)]);
    case 'expired':
    case 'cancelled': {
      const kinds = REQUEST_KINDS.filter((kind) => STORED_KINDS[kind].over === status);
      return (q) =>
        q.or([
          q('status', '=', status),
          q.and([q('status', 'in', ENDING), hasEndedAt(atMs)(q), q('kind', 'in', kinds)]),
        ]);
    }
    default:
      return (q) => q('status', '=', status);
  }
}

/** Returns how a subject of this kind is stored: what must not be readable, as a keyed hash. */
export function subjectKey(vault: Vault, kind: RequestKind, subject: string): string {
  return STORED_KINDS[kind].isSubjectHashed
    ? vault.lookupHash(subject).toString('hex')
    : toStorableText(subject);
}

export function newRequestRow<K extends RequestKind>(
  vault: Vault,
  organizationId: string,
  kind: K,
  input: NewRequest<K>,
  atMs: number,
): RequestRow {
  const { prefix, sealed = '', details: names } = STORED_KINDS[kind];
  const id = newId(prefix);
  const { projectId, deviceId, requestedBy, requesterUserId, ...rest } = input;
  const { justification, eventId, subject, status = 'pending', endsInMs = null, ...details } = rest;
  const values = details as Readonly<Record<string, unknown>>;
  const secret = values[sealed] ?? null;
  return {
    id,
    kind,
    organization_id: organizationId,
    project_id: projectId,
    device_id: deviceId,
    requested_by: requestedBy,
    requester_user_id: requesterUserId,
    subject_key: subject === undefined ? null : subjectKey(vault, kind, subject),
    event_id: toStorableTextOrNull(eventId),
    justification: toStorableTextOrNull(justification),
    details: JSON.stringify(Object.fromEntries(names.map((name) => [name, values[name]])), storable),
    sealed_detail:
      secret === null ? null : vault.seal(JSON.stringify(secret), SEAL_CONTEXTS.requestDetail(id)),
    status,
    decided_by: null,
    decision_reason: null,
    decided_at_ms: null,
    starts_at_ms: null,
    ends_at_ms: endsInMs === null ? null : atMs + endsInMs,
    created_at_ms: atMs,
    changed_at_ms: atMs,
  };
}

const storable = (_: string, value: unknown) => (typeof value === 'string' ? toStorableText(value) : value);

/** Reads a request as it is at this time: it ends at its time, even before that is stored. */
export function readRequestAt<K extends RequestKind>(
  vault: Vault,
  row: RequestRow,
  atMs: number,
): RequestOf<K> {
  const { over, overReason, sealed } = STORED_KINDS[row.kind];
  const hasEnded = row.ends_at_ms !== null && row.ends_at_ms <= atMs;
  const isOver = hasEnded && (ENDING as readonly string[]).includes(row.status);
  const secret = row.sealed_detail;
  return {
    ...JSON.parse(row.details),
    ...requestTable.read(row),
    ...(sealed !== undefined && {
      [sealed]: secret && JSON.parse(vault.open(secret, SEAL_CONTEXTS.requestDetail(row.id))),
    }),
    pendingUntilMs: row.status === 'pending' && !isOver ? row.ends_at_ms : null,
    expiresAtMs: row.starts_at_ms === null ? null : row.ends_at_ms,
    ...(isOver && { status: over, ...(overReason !== undefined && { decisionReason: overReason }) }),
  };
}
