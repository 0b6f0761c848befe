import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteReadThreads } from './sqlite-read-threads.ts';

/** Kysely over the reader threads. */
export function createSqliteReadDialect(
  threads: SqliteReadThreads,
  translate: (error: unknown) => unknown,
): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (!SelectQueryNode.is(query.query)) return onlyReads();
      try {
        const { sql, parameters } = query;
        return { rows: (await threads.read({ sql, parameters })) as R[] };
      } catch (error) {
        throw translate(error);
      }
    },
    streamQuery: onlyReads,
  };
  return {
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => connection,
      releaseConnection: async () => {},
      beginTransaction: onlyReads,
      commitTransaction: onlyReads,
      rollbackTransaction: onlyReads,
      destroy: async () => {},
    }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ParallelAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Otherwise Kysely runs one query at a time. */
class ParallelAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function onlyReads(): never {
  throw new Error('This connection runs single selects only.');
}
