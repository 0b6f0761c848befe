import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import { keyIdIn, SEAL_PREFIX_BYTES } from './sealer.ts';

/** How many values stand in one column under one key. */
export interface SealedCount {
  readonly column: SealedColumn;
  readonly keyId: string;
  readonly count: number;
}

/** Counts everything sealed, by key. `firstKeyId`: whose the values are that name no key. Reads every such table once. */
export async function countSealed(db: Kysely<Database>, firstKeyId: string): Promise<readonly SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const column of SEALED_COLUMNS) {
    const { rows } = await sql<{ prefix: Buffer; count: number }>`
      select substr(${sql.ref(column.column)}, 1, ${sql.lit(SEAL_PREFIX_BYTES)}) as prefix, count(*) as count
      from ${sql.table(column.table)} where ${sql.ref(column.column)} is not null group by 1`.execute(db);
    const byKey = new Map<string, number>();
    for (const { prefix, count } of rows) {
      const keyId = keyIdIn(prefix) ?? firstKeyId;
      byKey.set(keyId, (byKey.get(keyId) ?? 0) + count);
    }
    for (const [keyId, count] of byKey) counts.push({ column, keyId, count });
  }
  return counts;
}
