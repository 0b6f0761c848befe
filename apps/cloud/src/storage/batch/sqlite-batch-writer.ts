import {
  type ChainedRow,
  chainRows,
  compareHead,
  type Head,
  headFromLastRow,
  type PreparedEntry,
  readHead,
} from '../audit/chain.ts';
import type { SqliteHandles } from '../engines/sqlite-handles.ts';
import type { Vault } from '../sealing/vault.ts';
import { StorageError } from '../storage-error.ts';
import {
  type Batch,
  type BatchResult,
  type BatchWriter,
  KnownEvent,
  type PreparedDecision,
  type WriteMode,
} from './batch.ts';
import { Counts, chainEntries, decideAdmissions, monthRow } from './counts.ts';
import { prepareSqliteStatements } from './sqlite-statements.ts';
import { labelRows, usageRows } from './usage-rows.ts';

export function createSqliteBatchWriter(
  handles: SqliteHandles,
  vault: Vault,
  translate: (error: unknown) => unknown,
): BatchWriter {
  const statements = prepareSqliteStatements(handles.writes);

  /** Returns the decisions with new events. Throws KnownEvent if an event is known, unless `singly` checks each. */
  function insertNewEvents(
    decisions: readonly PreparedDecision[],
    singly: boolean,
  ): readonly PreparedDecision[] {
    if (singly) return decisions.filter((decision) => statements.insertEvents([decision]) === 1);
    if (statements.insertEvents(decisions) < decisions.length) throw new KnownEvent();
    return decisions;
  }

  function currentHead(organizationId: string, isSuspect: boolean): Head {
    const row = statements.selectHead.get(organizationId);
    if (row === undefined) return headFromLastRow(organizationId, statements.selectLast.get(organizationId));
    const head = readHead(vault, row);
    return head.isGenuine && !isSuspect ? head : compareHead(head, statements.selectLast.get(organizationId));
  }

  function append(
    organizationId: string,
    entries: readonly PreparedEntry[],
    { isSuspect }: WriteMode,
  ): number {
    const rows = chainRows(currentHead(organizationId, isSuspect), entries);
    statements.insertRows(rows);
    const last = rows.at(-1) as ChainedRow;
    const seal = vault.headSeal(organizationId, last.seq, last.hash);
    statements.writeHead.run(organizationId, last.seq, Buffer.from(last.hash, 'hex'), seal);
    return rows.length;
  }

  function writeDecisions(
    decisions: readonly PreparedDecision[],
    mode: WriteMode,
    counts: Counts,
    grown: Map<string, number>,
  ): void {
    const fresh = insertNewEvents(decisions, mode.hasKnown);
    const deliveries = fresh.flatMap((decision) => decision.deliveries);
    if (deliveries.length > 0) statements.insertDeliveries(deliveries);
    statements.addDetails(usageRows(fresh));
    const labeled = labelRows(fresh);
    if (labeled.length > 0) statements.addLabels(labeled);
    for (const [organizationId, entries] of chainEntries(fresh, counts)) {
      grown.set(organizationId, append(organizationId, entries, mode));
    }
  }

  /** Returns the stored requests of the months in which the admissions of a batch count. */
  function storedUsage({ admissions }: Batch): Map<string, number> {
    const stored = new Map<string, number>();
    for (const admission of admissions) {
      const row = monthRow(admission);
      if (stored.has(row)) continue;
      stored.set(row, statements.selectUsed.get(admission.accountId, row.slice(-7))?.requests ?? 0);
    }
    return stored;
  }

  function writeAll(batch: Batch, mode: WriteMode): BatchResult {
    const counts = new Counts();
    const grown = new Map<string, number>();

    if (batch.decisions.length > 0) writeDecisions(batch.decisions, mode, counts, grown);
    for (const increment of batch.increments) counts.add(increment);
    const admissions = decideAdmissions(batch.admissions, storedUsage(batch), counts);
    for (const row of counts.take())
      statements.addUsage.run(row.accountId, row.period, row.requests, row.deviceRequests);
    for (const [keyId, atMs] of batch.touches) statements.touchKey.run(atMs, keyId);
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
          mode = nextMode(error, mode);
        }
      }
    },
  };
}

/** Returns how to write the batch after this error; rethrows the error if there is no other way. */
function nextMode(error: unknown, mode: WriteMode): WriteMode {
  if (error instanceof KnownEvent && !mode.hasKnown) return { ...mode, hasKnown: true };
  // Only a row of another program can follow the head: continue after it and record that in the chain.
  if (isConflict(error) && !mode.isSuspect) return { ...mode, isSuspect: true };
  throw error;
}

function isConflict(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'conflict';
}
