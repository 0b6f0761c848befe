import type { Kysely } from 'kysely';
import type { CheckpointTimestamp } from '../model/audit.ts';
import type { Database } from '../schema.ts';
import { checkpointToLine } from './checkpoint.ts';

/** Chains checked in one call. */
const MAX_DUE = 100;

/** Returns the newest checkpoint of each chain that has no timestamp since that checkpoint. */
export async function listUnstamped(
  db: Kysely<Database>,
): Promise<readonly { readonly organizationId: string; readonly number: number; readonly line: string }[]> {
  const rows = await db
    .selectFrom('audit_heads as h')
    .innerJoin('audit_checkpoints as c', (join) =>
      join.onRef('c.organization_id', '=', 'h.organization_id').on('c.number', '=', (query) =>
        query
          .selectFrom('audit_checkpoints as newest')
          .whereRef('newest.organization_id', '=', 'h.organization_id')
          .select((q) => q.fn.max('newest.number').as('number')),
      ),
    )
    .leftJoin('audit_timestamps as t', (join) =>
      join.onRef('t.organization_id', '=', 'c.organization_id').onRef('t.number', '=', 'c.number'),
    )
    .where('t.number', 'is', null)
    .selectAll('c')
    .orderBy('c.at_ms')
    .limit(MAX_DUE)
    .execute();
  return rows.map(({ organization_id, number, ...row }) => ({
    organizationId: organization_id,
    number,
    line: checkpointToLine({
      ...{ organizationId: organization_id, number, seq: row.seq, hash: row.hash, atMs: row.at_ms },
      ...{ fileId: row.file_id, keyId: row.key_id, signature: row.signature },
    }),
  }));
}

/** If two instances stamp the same checkpoint, the first timestamp is stored. */
export async function storeTimestamp(
  db: Kysely<Database>,
  { organizationId, number, atMs, token }: CheckpointTimestamp,
): Promise<void> {
  await db
    .insertInto('audit_timestamps')
    .values({ organization_id: organizationId, number, at_ms: atMs, token })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the newest timestamp of a chain, with its checkpoint. */
export async function readLatestTimestamp(
  db: Kysely<Database>,
  organizationId: string,
): Promise<{ readonly seq: number; readonly line: string; readonly timestamp: CheckpointTimestamp } | null> {
  const row = await db
    .selectFrom('audit_timestamps as t')
    .innerJoin('audit_checkpoints as c', (join) =>
      join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.number', '=', 't.number'),
    )
    .where('t.organization_id', '=', organizationId)
    .select(['t.token', 't.at_ms as stamped_at_ms'])
    .selectAll('c')
    .orderBy('t.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { number, seq, hash } = row;
  const line = checkpointToLine({
    ...{ organizationId, number, seq, hash, atMs: row.at_ms },
    ...{ fileId: row.file_id, keyId: row.key_id, signature: row.signature },
  });
  return { seq, line, timestamp: { organizationId, number, atMs: row.stamped_at_ms, token: row.token } };
}

/** Yields the timestamp lines of an export, which follow the checkpoint lines. */
export async function* timestampLines(db: Kysely<Database>, organizationId: string): AsyncIterable<string> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('audit_timestamps')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('number', '>', after)
      .orderBy('number')
      .limit(500)
      .execute();
    for (const { number, at_ms, token } of rows) {
      const line = { type: 'timestamp', format: 'rfc3161', organization_id: organizationId };
      yield `${JSON.stringify({ ...line, number, at_ms, token })}\n`;
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}
