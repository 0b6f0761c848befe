import { randomBase62 } from '../ids.ts';
import {
  type Idempotency,
  type IdempotencyLease,
  type IdempotencyStart,
  type LeaseName,
  MAX_STORED_BYTES,
  type StoredResponse,
} from '../model/idempotency.ts';
import type { Database } from '../schema.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import type { Vault } from '../sealing/vault.ts';
import type { StorageLog } from '../storage.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const HOUR_MS = 60 * 60_000;
const RETENTION_HOURS = 24;
const RETENTION_MS = RETENTION_HOURS * HOUR_MS;

export interface IdempotencyDeps extends RepositoryDeps {
  /** Maximum bytes of responses that an organization may store in 24 hours. */
  readonly idempotencyBudgetBytes: number;
}

/** Stores responses, on its own or as part of a transaction. */
export function createResponseStore(deps: IdempotencyDeps): Pick<Idempotency, 'store'> {
  const { db, vault } = deps;
  return {
    async store({ organizationId, keyId, key, leaseId }, response) {
      const headers = JSON.stringify(response.headers);
      const sizeBytes = response.body.length + headers.length;
      const isStored =
        response.body.length <= MAX_STORED_BYTES && (await takeBudget(deps, organizationId, sizeBytes));
      const { numUpdatedRows } = await db
        .updateTable('idempotency_records')
        .set(
          isStored
            ? {
                state: 'done',
                status: response.status,
                headers,
                // Sealed, because a response may contain values that are not stored in the clear, such as a new key.
                body: vault.seal(response.body, SEAL_CONTEXTS.idempotentResponse(keyId, key)),
              }
            : { state: 'not_replayable', status: null, headers: null, body: null },
        )
        .where('key_id', '=', keyId)
        .where('idempotency_key', '=', key)
        .where('lease_id', '=', leaseId)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}

/** Returns true if a response of this size fits the organization's budget, and charges it. */
async function takeBudget(
  { db, now, idempotencyBudgetBytes }: IdempotencyDeps,
  organizationId: string,
  sizeBytes: number,
): Promise<boolean> {
  const hour = Math.floor(now() / HOUR_MS);
  const add = async (bytes: number): Promise<void> => {
    await db
      .insertInto('idempotency_usage')
      .values({ organization_id: organizationId, hour, bytes })
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'hour'])
          .doUpdateSet((q) => ({ bytes: q('idempotency_usage.bytes', '+', bytes) })),
      )
      .execute();
  };
  // Adds before reading: of two concurrent responses at the end of a budget, neither misses the other.
  await add(sizeBytes);
  const { used } = await db
    .selectFrom('idempotency_usage')
    .select((q) => q.fn.sum<number | string | null>('bytes').as('used'))
    .where('organization_id', '=', organizationId)
    .where('hour', '>', hour - RETENTION_HOURS)
    .executeTakeFirstOrThrow();
  if (Number(used) <= idempotencyBudgetBytes) return true;
  await add(-sizeBytes);
  return false;
}

/**
 * Returns true if this request now owns the record: it was missing, its lease has expired, or it is too old to replay.
 */
async function startRecord(
  db: IdempotencyDeps['db'],
  { keyId, key, fingerprint, leaseMs, nowMs }: Parameters<Idempotency['begin']>[0],
  leaseId: string,
): Promise<boolean> {
  const fresh = {
    fingerprint,
    state: 'running',
    lease_id: leaseId,
    lease_ends_at_ms: nowMs + leaseMs,
    status: null,
    headers: null,
    body: null,
    created_at_ms: nowMs,
  };
  const won = await db
    .insertInto('idempotency_records')
    .values({ key_id: keyId, idempotency_key: key, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['key_id', 'idempotency_key'])
        .doUpdateSet(fresh)
        .where((q) =>
          q.or([
            q.and([
              q('idempotency_records.state', '=', 'running'),
              q('idempotency_records.lease_ends_at_ms', '<=', nowMs),
            ]),
            q('idempotency_records.created_at_ms', '<=', nowMs - RETENTION_MS),
          ]),
        ),
    )
    .returning('lease_id')
    .executeTakeFirst();
  return won !== undefined;
}

/** Returns the outcome for a request whose record belongs to another request. */
function startOf(row: Database['idempotency_records'], fingerprint: string, vault: Vault): IdempotencyStart {
  if (row.fingerprint !== fingerprint) return { state: 'mismatch' };
  if (row.state === 'not_replayable') return { state: 'not_replayable' };
  if (row.state === 'running') return { state: 'running', leaseEndsAtMs: row.lease_ends_at_ms };
  return { state: 'done', response: readResponse(vault, row) };
}

export function createIdempotency(
  deps: IdempotencyDeps,
  log: StorageLog,
): Idempotency & { readonly stop: () => void } {
  const { db, vault } = deps;
  const { store } = createResponseStore(deps);
  const leases = createLeases(deps, log, store);

  return {
    async begin(claim) {
      // At most two rounds: the conflicting record may be deleted before it can be read.
      for (;;) {
        const leaseId = randomBase62(16);
        if (await startRecord(db, claim, leaseId)) {
          const { organizationId, keyId, key, leaseMs } = claim;
          return { state: 'started', lease: leases.create({ organizationId, keyId, key, leaseId }, leaseMs) };
        }
        const row = await db
          .selectFrom('idempotency_records')
          .selectAll()
          .where('key_id', '=', claim.keyId)
          .where('idempotency_key', '=', claim.key)
          .executeTakeFirst();
        if (row !== undefined) return startOf(row, claim.fingerprint, vault);
      }
    },

    store,

    async prune(nowMs) {
      await db
        .deleteFrom('idempotency_usage')
        .where('hour', '<', Math.floor(nowMs / HOUR_MS) - RETENTION_HOURS)
        .execute();
      const { numDeletedRows } = await db
        .deleteFrom('idempotency_records')
        .where('created_at_ms', '<=', nowMs - RETENTION_MS)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    stop: leases.stop,
  };
}

/** Leases of requests in this process; each is renewed until its request has ended. */
function createLeases({ db, now }: IdempotencyDeps, log: StorageLog, store: Idempotency['store']) {
  const renewals = new Set<NodeJS.Timeout>();

  function create(name: LeaseName, leaseMs: number): IdempotencyLease {
    const { keyId, key, leaseId } = name;
    const renewal = setInterval(() => {
      db.updateTable('idempotency_records')
        .set({ lease_ends_at_ms: now() + leaseMs })
        .where('key_id', '=', keyId)
        .where('idempotency_key', '=', key)
        .where('lease_id', '=', leaseId)
        .where('state', '=', 'running')
        .execute()
        .catch((error: unknown) => {
          log('warn', 'An idempotency lease could not be renewed', { cause: String(error) });
        });
    }, leaseMs / 3).unref();
    renewals.add(renewal);
    const stopRenewing = (): void => {
      clearInterval(renewal);
      renewals.delete(renewal);
    };

    return {
      name,
      async finish(response) {
        stopRenewing();
        return await store(name, response);
      },
      async abandon() {
        stopRenewing();
        await db
          .deleteFrom('idempotency_records')
          .where('key_id', '=', keyId)
          .where('idempotency_key', '=', key)
          .where('lease_id', '=', leaseId)
          .where('state', '=', 'running')
          .execute();
      },
    };
  }

  return {
    create,
    stop(): void {
      for (const renewal of renewals) clearInterval(renewal);
    },
  };
}

function readResponse(vault: Vault, row: Database['idempotency_records']): StoredResponse {
  const context = SEAL_CONTEXTS.idempotentResponse(row.key_id, row.idempotency_key);
  return {
    status: row.status ?? 200,
    headers: JSON.parse(row.headers ?? '{}') as StoredResponse['headers'],
    body: row.body === null ? Buffer.alloc(0) : vault.openBytes(row.body, context),
  };
}
