import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteHandles } from './sqlite-handles.ts';

/**
 * Kysely over two connections: reads never wait; transactions and single writes take the process's write lock, which
 * the batch writer also takes. Kysely's own SQLite driver has one connection, begins DEFERRED, and would let a batch
 * run inside another caller's open transaction.
 */
export function createSqliteDialect(handles: SqliteHandles, translate: (error: unknown) => unknown): Dialect {
  return {
    createDriver: () => new LockingDriver(handles, translate),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TwoConnectionAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Otherwise Kysely makes every reader wait for an open transaction. */
class TwoConnectionAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class LockingDriver implements Driver {
  readonly #handles: SqliteHandles;
  readonly #translate: (error: unknown) => unknown;

  constructor(handles: SqliteHandles, translate: (error: unknown) => unknown) {
    this.#handles = handles;
    this.#translate = translate;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<LockingConnection> {
    return new LockingConnection(this.#handles, this.#translate);
  }

  async beginTransaction(connection: LockingConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: LockingConnection): Promise<void> {
    connection.commit();
  }

  async rollbackTransaction(connection: LockingConnection): Promise<void> {
    connection.rollback();
  }

  async releaseConnection(connection: LockingConnection): Promise<void> {
    connection.rollback();
  }

  async destroy(): Promise<void> {
    this.#handles.close();
  }
}

/** A transaction of thousands of statements lets others run after this time: SQLite itself never returns to the loop. */
const SLICE_MS = 8;

class LockingConnection implements DatabaseConnection {
  readonly #handles: SqliteHandles;
  readonly #translate: (error: unknown) => unknown;
  #inTransaction = false;
  #sliceStartMs = 0;

  constructor(handles: SqliteHandles, translate: (error: unknown) => unknown) {
    this.#handles = handles;
    this.#translate = translate;
  }

  async begin(): Promise<void> {
    await this.#handles.lock.acquire();
    try {
      await this.#handles.begin();
      this.#inTransaction = true;
      this.#sliceStartMs = performance.now();
    } catch (error) {
      this.#handles.lock.release();
      throw this.#translate(error);
    }
  }

  commit(): void {
    try {
      this.#handles.commit();
    } catch (error) {
      throw this.#translate(error);
    }
    this.#end();
  }

  rollback(): void {
    if (!this.#inTransaction) return;
    this.#handles.rollback();
    this.#end();
  }

  #end(): void {
    this.#inTransaction = false;
    this.#handles.lock.release();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#inTransaction) {
      if (performance.now() - this.#sliceStartMs > SLICE_MS) {
        await nextTurn();
        this.#sliceStartMs = performance.now();
      }
      return this.#run(this.#handles.writes, query);
    }
    if (SelectQueryNode.is(query.query)) return this.#run(this.#handles.reads, query);
    await this.begin();
    try {
      const result = this.#run<R>(this.#handles.writes, query);
      this.commit();
      return result;
    } finally {
      this.rollback();
    }
  }

  #run<R>(database: SqliteHandles['reads'], query: CompiledQuery): QueryResult<R> {
    try {
      const statement = this.#handles.prepare(database, query.sql);
      if (statement.reader) {
        const rows = statement.all(...query.parameters) as R[];
        return { rows, numAffectedRows: BigInt(rows.length) };
      }
      const { changes } = statement.run(...query.parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      throw this.#translate(error);
    }
  }

  // biome-ignore lint/correctness/useYield: storage reads in pages, on both engines.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Storage reads in pages, it does not stream.');
  }
}
