import { randomBase62 } from '../ids.ts';
import type { Idempotency, IdempotencyLease, StoredResponse } from '../model/idempotency.ts';
import { PLACES } from '../sealed-places.ts';
import type { StorageLog } from '../storage.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const KEPT_MS = 24 * 60 * 60_000;

/** Stores answers, on its own or as part of a transaction. */
export function createAnswerKeeper({
  db,
  vault,
}: Pick<RepositoryDeps, 'db' | 'vault'>): Pick<Idempotency, 'keep'> {
  return {
    async keep({ keyId, key, leaseId }, response) {
      const { numUpdatedRows } = await db
        .updateTable('idempotency_records')
        .set({
          state: 'done',
          status: response.status,
          headers: JSON.stringify(response.headers),
          // An answer may hold what is stored nowhere else in the clear, such as a key that was just made.
          body: vault.seal(response.body, PLACES.idempotentAnswer(keyId, key)),
        })
        .where('key_id', '=', keyId)
        .where('idempotency_key', '=', key)
        .where('lease_id', '=', leaseId)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}

export function createIdempotency(
  { db, vault, now }: RepositoryDeps,
  log: StorageLog,
): Idempotency & { readonly stop: () => void } {
  const { keep } = createAnswerKeeper({ db, vault });
  const renewals = new Set<NodeJS.Timeout>();

  function createLease(keyId: string, key: string, leaseId: string, leaseMs: number): IdempotencyLease {
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
      name: { keyId, key, leaseId },
      async finish(response) {
        stopRenewing();
        return await keep({ keyId, key, leaseId }, response);
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
    async begin({ keyId, key, fingerprint, leaseMs, nowMs }) {
      // Twice at most: the record that was in the way may be gone before it can be read.
      for (;;) {
        const leaseId = randomBase62(16);
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
                  q('idempotency_records.created_at_ms', '<=', nowMs - KEPT_MS),
                ]),
              ),
          )
          .returning('lease_id')
          .executeTakeFirst();
        if (won !== undefined) return { state: 'started', lease: createLease(keyId, key, leaseId, leaseMs) };

        const row = await db
          .selectFrom('idempotency_records')
          .selectAll()
          .where('key_id', '=', keyId)
          .where('idempotency_key', '=', key)
          .executeTakeFirst();
        if (row === undefined) continue;
        if (row.fingerprint !== fingerprint) return { state: 'mismatch' };
        if (row.state === 'running') return { state: 'running', leaseEndsAtMs: row.lease_ends_at_ms };
        return {
          state: 'done',
          response: {
            status: row.status ?? 200,
            headers: JSON.parse(row.headers ?? '{}') as StoredResponse['headers'],
            body:
              row.body === null
                ? Buffer.alloc(0)
                : vault.openBytes(row.body, PLACES.idempotentAnswer(keyId, key)),
          },
        };
      }
    },

    keep,

    async prune(nowMs) {
      const { numDeletedRows } = await db
        .deleteFrom('idempotency_records')
        .where('created_at_ms', '<=', nowMs - KEPT_MS)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    stop() {
      for (const renewal of renewals) clearInterval(renewal);
    },
  };
}
