import {
  type ChainedRow,
  chainRows,
  compareHead,
  type Head,
  headWithout,
  type LastRow,
  type PreparedEntry,
  readHead,
} from '../audit/chain.ts';
import type { Database } from '../schema.ts';
import type { SqliteHandles } from '../sqlite-handles.ts';
import { StorageError } from '../storage-error.ts';
import type { Vault } from '../vault.ts';
import {
  type Batch,
  type BatchResult,
  type BatchWriter,
  KnownEvent,
  type PreparedDecision,
  type WriteMode,
} from './batch.ts';
import { Counts, decideAdmissions, monthRow } from './counts.ts';
import { prepareRows } from './prepare-rows.ts';

/** Raw prepared statements: Kysely's building costs more than SQLite's writing here. */
export function createSqliteBatchWriter(
  handles: SqliteHandles,
  vault: Vault,
  translate: (error: unknown) => unknown,
): BatchWriter {
  const db = handles.writes;
  const insertEvents = prepareRows(
    db,
    18,
    (values) => `INSERT INTO security_events (id, organization_id, project_id, key_id, device_id, request_id,
      direction, route, model, decision, threat_type, confidence, findings, unscanned, failed, latency_us, at_ms,
      judged_by)
      VALUES ${values} ON CONFLICT (id) DO NOTHING`,
    // biome-ignore format: one value for each column, in the statement's order
    ({ event: e }: PreparedDecision) => [
      e.id, e.organization_id, e.project_id, e.key_id, e.device_id, e.request_id,
      e.direction, e.route, e.model, e.decision, e.threat_type, e.confidence, e.findings, e.unscanned, e.failed, e.latency_us, e.at_ms,
      e.judged_by,
    ],
  );
  const insertDeliveries = prepareRows(
    db,
    13,
    (
      values,
    ) => `INSERT INTO webhook_deliveries (id, organization_id, project_id, event, event_id, payload, is_test,
      status, attempts, failures, due_at_ms, lease_ends_at_ms, created_at_ms) VALUES ${values}`,
    // biome-ignore format: one value for each column, in the statement's order
    (row: Database['webhook_deliveries']) => [
      row.id, row.organization_id, row.project_id, row.event, row.event_id, row.payload, row.is_test,
      row.status, row.attempts, row.failures, row.due_at_ms, row.lease_ends_at_ms, row.created_at_ms,
    ],
  );
  const insertRows = prepareRows(
    db,
    9,
    (
      values,
    ) => `INSERT INTO audit_rows (organization_id, seq, at_ms, kind, actor, subject, data, prev_hash, hash)
      VALUES ${values}`,
    // biome-ignore format: one value for each column, in the statement's order
    (row: ChainedRow) => [
      row.organizationId, row.seq, row.atMs, row.kind, row.actor, row.subject, row.data,
      Buffer.from(row.prevHash, 'hex'), Buffer.from(row.hash, 'hex'),
    ],
  );
  const selectHead = db.prepare<
    [string],
    { organization_id: string; seq: number; hash: Buffer; seal: Buffer }
  >('SELECT organization_id, seq, hash, seal FROM audit_heads WHERE organization_id = ?');
  const selectLast = db.prepare<[string], LastRow>(
    'SELECT seq, hash FROM audit_rows WHERE organization_id = ? ORDER BY seq DESC LIMIT 1',
  );
  const writeHead = db.prepare(
    `INSERT INTO audit_heads (organization_id, seq, hash, seal) VALUES (?, ?, ?, ?)
     ON CONFLICT (organization_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, seal = excluded.seal`,
  );
  const selectUsed = db.prepare<[string, string], { requests: number }>(
    'SELECT requests FROM usage_counters WHERE account_id = ? AND period = ?',
  );
  const addUsage = db.prepare(
    `INSERT INTO usage_counters (account_id, period, requests, device_requests) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, period) DO UPDATE SET requests = requests + excluded.requests,
       device_requests = device_requests + excluded.device_requests`,
  );
  const touchKey = db.prepare('UPDATE keys SET last_used_at_ms = ? WHERE id = ?');

  /** Those that were not there before. Throws KnownEvent where one was, unless `singly` asks for each. */
  function insertNewEvents(
    decisions: readonly PreparedDecision[],
    singly: boolean,
  ): readonly PreparedDecision[] {
    if (singly) return decisions.filter((decision) => insertEvents([decision]) === 1);
    if (insertEvents(decisions) < decisions.length) throw new KnownEvent();
    return decisions;
  }

  function currentHead(organizationId: string, isSuspect: boolean): Head {
    const row = selectHead.get(organizationId);
    if (row === undefined) return headWithout(organizationId, selectLast.get(organizationId));
    const head = readHead(vault, row);
    return head.isGenuine && !isSuspect ? head : compareHead(head, selectLast.get(organizationId));
  }

  function append(
    organizationId: string,
    entries: readonly PreparedEntry[],
    { isSuspect }: WriteMode,
  ): number {
    const rows = chainRows(currentHead(organizationId, isSuspect), entries);
    insertRows(rows);
    const last = rows.at(-1) as ChainedRow;
    const seal = vault.headSeal(organizationId, last.seq, last.hash);
    writeHead.run(organizationId, last.seq, Buffer.from(last.hash, 'hex'), seal);
    return rows.length;
  }

  function writeAll(batch: Batch, mode: WriteMode): BatchResult {
    const counts = new Counts();
    const grown = new Map<string, number>();

    if (batch.decisions.length > 0) {
      const chains = new Map<string, PreparedEntry[]>();
      const fresh = insertNewEvents(batch.decisions, mode.hasKnown);
      const deliveries = fresh.flatMap((decision) => decision.deliveries);
      if (deliveries.length > 0) insertDeliveries(deliveries);
      for (const { entry, usage } of fresh) {
        const chain = chains.get(entry.organizationId);
        if (chain === undefined) chains.set(entry.organizationId, [entry]);
        else chain.push(entry);
        if (usage !== null) counts.addRequest(usage.accountId, usage.device, entry.atMs);
      }
      for (const [organizationId, entries] of chains) {
        grown.set(organizationId, append(organizationId, entries, mode));
      }
    }

    for (const increment of batch.increments) counts.add(increment);
    const stored = new Map<string, number>();
    for (const admission of batch.admissions) {
      const row = monthRow(admission);
      if (stored.has(row)) continue;
      stored.set(row, selectUsed.get(admission.accountId, row.slice(-7))?.requests ?? 0);
    }
    const admissions = decideAdmissions(batch.admissions, stored, counts);
    for (const row of counts.take())
      addUsage.run(row.accountId, row.period, row.requests, row.deviceRequests);
    for (const [keyId, atMs] of batch.touches) touchKey.run(atMs, keyId);
    return { admissions, grown };
  }

  async function writeOnce(batch: Batch, mode: WriteMode): Promise<BatchResult> {
    if (!handles.lock.tryAcquire()) await handles.lock.acquire();
    try {
      if (!handles.tryBegin()) await handles.begin();
      const result = writeAll(batch, mode);
      handles.commit();
      return result;
    } catch (error) {
      handles.rollback();
      throw error instanceof KnownEvent ? error : translate(error);
    } finally {
      handles.lock.release();
    }
  }

  return {
    async write(batch) {
      let mode: WriteMode = { isSuspect: false, hasKnown: false };
      for (;;) {
        try {
          return await writeOnce(batch, mode);
        } catch (error) {
          if (error instanceof KnownEvent && !mode.hasKnown) mode = { ...mode, hasKnown: true };
          // Only a row that is not ours can be where a head points: go on after it, and say so in the chain.
          else if (isConflict(error) && !mode.isSuspect) mode = { ...mode, isSuspect: true };
          else throw error;
        }
      }
    },
  };
}

function isConflict(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'conflict';
}
