import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import {
  type ChainedRow,
  chainRows,
  compareHead,
  type Head,
  headFromLastRow,
  type LastRow,
  type PreparedEntry,
  readHead,
} from '../audit/chain.ts';
import { isConnectionError, MAX_CONNECTIONS, type ReconnectingPool } from '../engines/reconnecting-pool.ts';
import type { AdmissionResult } from '../model/usage.ts';
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
import { POSTGRES_STATEMENTS } from './postgres-statements.ts';
import { LABEL_COLUMNS, labelRows, USAGE_COLUMNS, usageRows } from './usage-rows.ts';

const ATTEMPTS = 4;
const RETRY_MS = 100;

interface HeadRow {
  readonly organization_id: string;
  readonly seq: number;
  readonly hash: Buffer;
  readonly seal: Buffer;
}

/**
 * Writes each batch in one transaction, with statements over arrays. Statements that do not depend on a response are
 * sent together with the ones before (the pool's `pipeline`), so a batch takes two round trips, and one more if
 * requests are admitted. Events are assumed to be new until the server reports one that is not: then the transaction
 * is rolled back and repeated step by step. Rows that other instances also lock (usage counters, audit heads) come
 * last and in sorted order: short waits, no deadlocks.
 */
export function createPostgresBatchWriter(
  pool: ReconnectingPool,
  vault: Vault,
  translate: (error: unknown) => unknown,
): BatchWriter {
  return {
    async write(batch) {
      let mode: WriteMode = { isSuspect: false, hasKnown: false };
      for (let attempt = 1; ; attempt++) {
        try {
          return await writeOnce(pool, vault, batch, mode);
        } catch (error) {
          const isKnown = error instanceof KnownEvent;
          if (!isKnown && attempt >= maxTriesFor(error)) throw translate(error);
          // Only a row of another program can follow the head: continue after it and record that in the chain.
          const isSuspect = codeOf(error) === UNIQUE_VIOLATION;
          mode = { hasKnown: mode.hasKnown || isKnown, isSuspect: mode.isSuspect || isSuspect };
        }
      }
    },
  };
}

const UNIQUE_VIOLATION = '23505';
const NO_SUCH_TRANSACTION = '22023';
/** Includes deadlock and serialization failure, after which the server has rolled the transaction back. */
const RETRYABLE: ReadonlySet<unknown> = new Set([UNIQUE_VIOLATION, '40P01', '40001']);

function maxTriesFor(error: unknown): number {
  if (isConnectionError(error)) return ATTEMPTS + MAX_CONNECTIONS;
  return RETRYABLE.has(codeOf(error)) ? ATTEMPTS : 0;
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}

/**
 * Writes everything, or throws an error because nothing was written. If the outcome is unknown, the error is one for
 * which `isConnectionError` is false.
 */
async function writeOnce(
  pool: ReconnectingPool,
  vault: Vault,
  batch: Batch,
  mode: WriteMode,
): Promise<BatchResult> {
  const client = await pool.connect();
  const inTime = pool.startQueryTimeout(client);
  const run: Run = async (name, values) =>
    (await client.query({ ...POSTGRES_STATEMENTS[name], values })).rows as never;
  let isBroken = false;
  let committing: (Begun & { readonly result: BatchResult }) | undefined;
  try {
    const begun = client.query(
      'BEGIN; SELECT txid_current()::text AS xid, now()::text AS "begunAt"',
    ) as unknown as Promise<pg.QueryResult<Begun>[]>;
    const { admissions, grown, rows, heads } = await settled(writeAllButChains(run, vault, batch, mode), [
      begun,
    ]);
    const result = { admissions, grown };
    committing = { ...(await begun)[1]!.rows[0]!, result };
    // If one of them fails, the transaction has failed and this COMMIT rolls it back.
    await Promise.all([...appendRows(run, vault, rows, heads), client.query('COMMIT')]);
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      isBroken = true;
    });
    // The connection was lost while the server was committing: only the server knows the outcome.
    if (isBroken && committing !== undefined && (await hasCommitted(pool, committing, batch, error)))
      return committing.result;
    throw error;
  } finally {
    inTime();
    client.release(isBroken);
  }
}

/** A transaction as the server knows it. */
interface Begun {
  readonly xid: string;
  readonly begunAt: string;
}

async function hasCommitted(
  pool: ReconnectingPool,
  begun: Begun,
  batch: Batch,
  cause: unknown,
): Promise<boolean> {
  // The first connections of the pool may be dead ones to the server that went away.
  for (let attempt = 0; attempt < ATTEMPTS + MAX_CONNECTIONS; attempt++) {
    const client = await pool.connect();
    const inTime = pool.startQueryTimeout(client);
    try {
      const { rows } = await client.query('SELECT txid_status($1::bigint) AS status', [begun.xid]);
      if (rows[0].status === 'committed') return await isOurs(client, begun, batch);
      if (rows[0].status !== 'in progress') return false;
    } catch (error) {
      // "in the future": the server crashed before it recorded that the transaction existed.
      if (codeOf(error) === NO_SUCH_TRANSACTION) return false;
    } finally {
      inTime();
      // Dead or not: the next batch takes a new one.
      client.release(true);
    }
    await pause(RETRY_MS);
  }
  throw new StorageError(
    'unavailable',
    'The database went away while it was writing, and does not come back.',
    {
      cause,
    },
  );
}

/**
 * A server that crashed before it recorded the number of a transaction may have reused the number. The first event
 * decides whether the transaction is ours; without events, the number from which the server continued after recovery.
 */
async function isOurs(
  client: pg.PoolClient,
  { xid, begunAt }: Begun,
  { decisions: [first] }: Batch,
): Promise<boolean> {
  if (first !== undefined) {
    const { rowCount } = await client.query('SELECT 1 FROM security_events WHERE id = $1', [first.event.id]);
    return rowCount === 1;
  }
  const { rows } = await client.query<{ isGivenAnew: boolean }>(
    `SELECT (pg_postmaster_start_time() > $2::timestamptz OR checkpoint_time > $2::timestamptz)
       AND $1::bigint >= split_part(next_xid, ':', 1)::bigint * 4294967296 + split_part(next_xid, ':', 2)::bigint
       AS "isGivenAnew"
     FROM pg_control_checkpoint()`,
    [xid, begunAt],
  );
  return !rows[0]!.isGivenAnew;
}

/** Writes events, deliveries and counters. Only prepares the rows of the chains and locks their heads. */
async function writeAllButChains(
  run: Run,
  vault: Vault,
  batch: Batch,
  mode: WriteMode,
): Promise<Pick<BatchResult, 'admissions'> & LongerChains> {
  const counts = new Counts();
  let chains: ReadonlyMap<string, readonly PreparedEntry[]> = new Map();
  const sent: Promise<unknown>[] = [];
  if (batch.decisions.length > 0) {
    const inserted = insertNewEvents(run, batch.decisions);
    const fresh = mode.hasKnown ? await inserted : batch.decisions;
    const areNew = inserted.then(({ length }) => {
      if (length < fresh.length) throw new KnownEvent();
    });
    const details = Promise.all([addDetails(run, fresh), addLabels(run, fresh)]);
    // Already sent, but awaited after the events: the error of the statement that failed first is the useful one.
    details.catch(() => {});
    sent.push(
      areNew,
      insertDeliveries(run, fresh),
      areNew.then(() => details),
    );
    chains = chainEntries(fresh, counts);
  }
  for (const increment of batch.increments) counts.add(increment);
  // Most batches have no admissions and do not wait here.
  const admissions = batch.admissions.length === 0 ? [] : await settled(admit(run, batch, counts), sent);
  const usage = counts.take();
  if (usage.length > 0) {
    sent.push(
      run('addUsage', [
        usage.map((row) => row.accountId),
        usage.map((row) => row.period),
        usage.map((row) => row.requests),
        usage.map((row) => row.deviceRequests),
      ]),
    );
  }
  if (batch.touches.size > 0)
    sent.push(run('touchKeys', [[...batch.touches.keys()], [...batch.touches.values()]]));
  return { admissions, ...(await settled(lengthenChains(run, vault, chains, mode), sent)) };
}

/**
 * Returns the result of `wanted` once all promises have settled: a statement that is still running would
 * continue after the ROLLBACK, outside any transaction. Rejects with the first failure; the others only
 * report a failed transaction.
 */
async function settled<T>(wanted: Promise<T>, others: readonly Promise<unknown>[]): Promise<T> {
  const failures: unknown[] = [];
  const note = (error: unknown) => void failures.push(error);
  await Promise.all([wanted, ...others].map((one) => one.then(undefined, note)));
  if (failures.length > 0) throw failures[0];
  return await wanted;
}

type Run = <R extends object>(name: keyof typeof POSTGRES_STATEMENTS, values: unknown[]) => Promise<R[]>;

async function insertNewEvents(
  run: Run,
  decisions: readonly PreparedDecision[],
): Promise<PreparedDecision[]> {
  const events = decisions.map((decision) => decision.event);
  const inserted = await run<{ id: string }>('insertEvents', [
    events.map((e) => e.id),
    events.map((e) => e.organization_id),
    events.map((e) => e.project_id),
    events.map((e) => e.key_id),
    events.map((e) => e.device_id),
    events.map((e) => e.request_id),
    events.map((e) => e.direction),
    events.map((e) => e.route),
    events.map((e) => e.model),
    events.map((e) => e.decision),
    events.map((e) => e.threat_type),
    events.map((e) => e.confidence),
    events.map((e) => e.findings),
    events.map((e) => e.unscanned),
    events.map((e) => e.failed),
    events.map((e) => e.latency_us),
    events.map((e) => e.at_ms),
    events.map((e) => e.judged_by),
    events.map((e) => e.decided_by),
    events.map((e) => e.session),
    events.map((e) => e.tags),
  ]);
  const isNew = new Set(inserted.map((row) => row.id));
  // delete: if two events of a batch have the same id, the first one is stored.
  return decisions.filter((decision) => isNew.delete(decision.event.id));
}

/** All deliveries of a batch share one time and are due immediately. */
async function insertDeliveries(run: Run, decisions: readonly PreparedDecision[]): Promise<void> {
  const rows = decisions.flatMap((decision) => decision.deliveries);
  if (rows.length === 0) return;
  await run('insertDeliveries', [
    rows.map((row) => row.id),
    rows.map((row) => row.organization_id),
    rows.map((row) => row.project_id),
    rows.map((row) => row.endpoint_id),
    rows.map((row) => row.kind),
    rows.map((row) => row.event),
    rows.map((row) => row.event_id),
    rows.map((row) => row.payload),
    rows[0]!.created_at_ms,
  ]);
}

async function addDetails(run: Run, decisions: readonly PreparedDecision[]): Promise<void> {
  const rows = usageRows(decisions);
  if (rows.length > 0)
    await run(
      'addDetails',
      USAGE_COLUMNS.map((column) => rows.map((row) => row[column])),
    );
}

async function addLabels(run: Run, decisions: readonly PreparedDecision[]): Promise<void> {
  const rows = labelRows(decisions);
  if (rows.length > 0)
    await run(
      'addLabels',
      LABEL_COLUMNS.map((column) => rows.map((row) => row[column])),
    );
}

async function admit(run: Run, batch: Batch, counts: Counts): Promise<readonly AdmissionResult[]> {
  const rows = [...new Set(batch.admissions.map(monthRow))].sort();
  const locked = await run<{ account_id: string; period: string; requests: number }>('lockUsage', [
    rows.map((row) => row.slice(0, -8)),
    rows.map((row) => row.slice(-7)),
  ]);
  const stored = new Map(locked.map((row) => [`${row.account_id} ${row.period}`, row.requests]));
  return decideAdmissions(batch.admissions, stored, counts);
}

interface LongerChains {
  readonly grown: ReadonlyMap<string, number>;
  /** The new rows, and the last one of each chain. */
  readonly rows: readonly ChainedRow[];
  readonly heads: readonly ChainedRow[];
}

async function lengthenChains(
  run: Run,
  vault: Vault,
  chains: ReadonlyMap<string, readonly PreparedEntry[]>,
  { isSuspect }: WriteMode,
): Promise<LongerChains> {
  const grown = new Map<string, number>();
  const rows: ChainedRow[] = [];
  const heads: ChainedRow[] = [];
  if (chains.size === 0) return { grown, rows, heads };
  for (const locked of await lockHeads(run, vault, [...chains.keys()].sort())) {
    const head =
      locked.isGenuine && !isSuspect
        ? locked
        : compareHead(locked, (await run<LastRow>('lastRow', [locked.organizationId]))[0]);
    const added = chainRows(head, chains.get(head.organizationId)!);
    rows.push(...added);
    heads.push(added.at(-1)!);
    grown.set(head.organizationId, added.length);
  }
  return { grown, rows, heads };
}

function appendRows(
  run: Run,
  vault: Vault,
  rows: readonly ChainedRow[],
  heads: readonly ChainedRow[],
): Promise<unknown>[] {
  if (rows.length === 0) return [];
  return [
    run('insertRows', [
      rows.map((row) => row.organizationId),
      rows.map((row) => row.seq),
      rows.map((row) => row.atMs),
      rows.map((row) => row.kind),
      rows.map((row) => row.actor),
      rows.map((row) => row.subject),
      rows.map((row) => row.data),
      rows.map((row) => `\\x${row.prevHash}`),
      rows.map((row) => `\\x${row.hash}`),
    ]),
    run('moveHeads', [
      heads.map((row) => row.organizationId),
      heads.map((row) => row.seq),
      heads.map((row) => `\\x${row.hash}`),
      heads.map((row) => `\\x${vault.headSeal(row.organizationId, row.seq, row.hash).toString('hex')}`),
    ]),
  ];
}

async function lockHeads(
  run: Run,
  vault: Vault,
  organizationIds: readonly string[],
): Promise<readonly Head[]> {
  const found = await run<HeadRow>('lockHeads', [organizationIds]);
  if (found.length === organizationIds.length) return found.map((row) => readHead(vault, row));
  const known = new Set(found.map((row) => row.organization_id));
  for (const organizationId of organizationIds) {
    if (known.has(organizationId)) continue;
    const [last] = await run<LastRow>('lastRow', [organizationId]);
    const head = headFromLastRow(organizationId, last);
    // A head that was removed is restored with a seal that never matches, so that the next row records the break.
    const seal = head.isGenuine ? vault.headSeal(organizationId, head.seq, head.hash) : Buffer.alloc(32);
    await run('insertHead', [organizationId, head.seq, Buffer.from(head.hash, 'hex'), seal]);
  }
  return (await run<HeadRow>('lockHeads', [organizationIds])).map((row) => readHead(vault, row));
}
