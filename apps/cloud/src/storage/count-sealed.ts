import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import { keyIdIn, SEAL_PREFIX_BYTES, sealPrefix } from './sealer.ts';

/** Base64 of the prefix, which has no remainder: 12 letters. */
const SEAL_PREFIX_LETTERS = (SEAL_PREFIX_BYTES / 3) * 4;

/** The part of a value that names its key, as a query asks for it and as the value of a key begins. */
export function sealPrefixOf({ column, isText }: SealedColumn) {
  const length = sql.lit(isText ? SEAL_PREFIX_LETTERS : SEAL_PREFIX_BYTES);
  return {
    expression: sql<Buffer | string>`substr(${sql.ref(column)}, 1, ${length})`,
    of: (keyId: string) => (isText ? sealPrefix(keyId).toString('base64') : sealPrefix(keyId)),
  };
}

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
    const { rows } = await sql<{ prefix: Buffer | string; count: number }>`
      select ${sealPrefixOf(column).expression} as prefix, count(*) as count
      from ${sql.table(column.table)} where ${sql.ref(column.column)} is not null group by 1`.execute(db);
    const byKey = new Map<string, number>();
    for (const { prefix, count } of rows) {
      const bytes = typeof prefix === 'string' ? Buffer.from(prefix, 'base64') : prefix;
      const keyId = keyIdIn(bytes) ?? firstKeyId;
      byKey.set(keyId, (byKey.get(keyId) ?? 0) + count);
    }
    for (const [keyId, count] of byKey) counts.push({ column, keyId, count });
  }
  return counts;
}
