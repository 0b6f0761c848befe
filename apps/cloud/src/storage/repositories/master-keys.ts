import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../engines/sql-dialect.ts';
import type { MasterKeyStore, Resealed } from '../model/master-keys.ts';
import type { Database } from '../schema.ts';
import { countSealed, sealPrefixOf } from '../sealing/count-sealed.ts';
import { type Row, SEALED_COLUMNS, type SealedColumn } from '../sealing/sealed-columns.ts';
import type { Vault } from '../sealing/vault.ts';

const STEP = 50;
/** Pause between two steps, so that writers of other processes get a turn. */
const PAUSE_MS = 10;
/** The second pass finds values written with an older key during the first. */
const PASSES = 2;

interface Deps {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly dialect: SqlDialect;
  readonly firstKeyId: string;
}

export function createMasterKeyStore(deps: Deps): MasterKeyStore {
  const { db, vault, firstKeyId } = deps;
  const [currentId, ...previousIds] = vault.keyIds as [string, ...string[]];

  return {
    async status() {
      const counts = await countSealed(db, firstKeyId);
      const unknown = counts.map((count) => count.keyId).filter((id) => !vault.keyIds.includes(id));
      return [...new Set([...vault.keyIds, ...unknown])].map((keyId) => {
        const own = counts.filter((count) => count.keyId === keyId);
        return {
          keyId,
          role: keyId === currentId ? 'current' : previousIds.includes(keyId) ? 'previous' : 'unknown',
          values: own.reduce((sum, { count }) => sum + count, 0),
          byColumn: Object.fromEntries(own.map(({ column, count }) => [column.name, count])),
        };
      });
    },

    async reseal(onProgress = () => {}) {
      const byColumn: Record<string, number> = {};
      let unreadable: Resealed['unreadable'] = [];
      for (let pass = 1; pass <= PASSES; pass++) {
        unreadable = [];
        for (const column of SEALED_COLUMNS) {
          const result = await resealColumn(deps, column, (values) => onProgress(column.name, values));
          if (result.resealed > 0) byColumn[column.name] = (byColumn[column.name] ?? 0) + result.resealed;
          unreadable = [...unreadable, ...result.unreadable];
        }
      }
      const counts = await countSealed(db, firstKeyId);
      const others = counts.filter(({ keyId }) => keyId !== currentId);
      const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, value) => total + value, 0);
      return {
        keyId: currentId,
        byColumn,
        values: sum(Object.values(byColumn)),
        unreadable,
        left: sum(others.map(({ count }) => count)) - unreadable.length,
      };
    },
  };
}

async function resealColumn(
  { db, vault, dialect }: Deps,
  column: SealedColumn,
  onStep: (values: number) => void,
): Promise<{ resealed: number; unreadable: Resealed['unreadable'] }> {
  // biome-ignore lint/suspicious/noExplicitAny: the tables and columns come from a list.
  const tables = db as Kysely<any>;
  const prefix = sealPrefixOf(column);
  const current = prefix.of(vault.keyIds[0]!);
  let resealed = 0;
  const unreadable: { column: string; row: string }[] = [];
  let after: readonly unknown[] | null = null;
  for (;;) {
    const last: readonly unknown[] | null = after;
    const rows: readonly Row[] = await tables.transaction().execute(async (tx) => {
      const found: readonly Row[] = await tx
        .selectFrom(column.table)
        .select([...column.key, column.column, ...(column.beside ?? [])])
        .where(column.column, 'is not', null)
        .where(prefix.expression, '<>', current)
        .$if(last !== null, (query) =>
          query.where(
            sql<boolean>`(${sql.join(column.key.map((name) => sql.ref(name)))}) > (${sql.join(last ?? [])})`,
          ),
        )
        .orderBy(sql.join(column.key.map((name) => sql.ref(name))))
        .limit(STEP)
        .$call((query) => dialect.lockRows(query))
        .execute();
      for (const row of found) {
        let fresh: Buffer | string;
        try {
          fresh = column.reseal(row, vault);
        } catch {
          unreadable.push({ column: column.name, row: column.key.map((name) => row[name]).join(' ') });
          continue;
        }
        let update = tx.updateTable(column.table).set({ [column.column]: fresh });
        for (const name of column.key) update = update.where(name, '=', row[name]);
        await update.execute();
        resealed += 1;
      }
      return found;
    });
    const end = rows.at(-1);
    if (end === undefined) return { resealed, unreadable };
    onStep(resealed);
    after = column.key.map((name) => end[name]);
    await pause(PAUSE_MS);
  }
}
