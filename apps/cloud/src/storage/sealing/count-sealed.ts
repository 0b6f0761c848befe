import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import { keyIdIn, SEAL_PREFIX_BYTES, sealPrefix } from './sealer.ts';

/** Length of the prefix in base64: 12 characters, without padding. */
const SEAL_PREFIX_LETTERS = (SEAL_PREFIX_BYTES / 3) * 4;

/** The part of a value that identifies its key: as an SQL expression, and as the prefix that a key's values have. */
export function sealPrefixOf({ column, isText }: SealedColumn) {
  const length = sql.lit(isText ? SEAL_PREFIX_LETTERS : SEAL_PREFIX_BYTES);
  return {
    expression: sql<Buffer | string>`substr(${sql.ref(column)}, 1, ${length})`,
    of: (keyId: string) => (isText ? sealPrefix(keyId).toString('base64') : sealPrefix(keyId)),
  };
}

/** Number of values in one column that are sealed with one key. */
export interface SealedCount {
  readonly column: SealedColumn;
  readonly keyId: string;
  readonly count: number;
}

/** Counts all sealed values by key. `firstKeyId` is the key of values that name none. Reads every such table once. */
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
