/** Databases seen from outside, through connections that are open only for one query. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { createTestDatabase, noPostgres } from '../databases.ts';

export type EngineName = 'sqlite' | 'postgres';

export interface CrashDatabase {
  /** Undefined for the file in the data folder. */
  readonly databaseUrl: string | undefined;
  look(): Promise<DatabaseReader>;
  /** A query for work of a dead service that is still running in the database: it returns no row once there is none. */
  readonly atWork: string | null;
  remove(): Promise<void>;
}

export interface DatabaseReader {
  query<T>(sql: string): Promise<T[]>;
  close(): Promise<void>;
}

/** Why an engine is not available here; false if it is. */
export const engineMissing: Readonly<Record<EngineName, string | false>> = {
  sqlite: false,
  postgres: noPostgres,
};

export const openEngine: Readonly<Record<EngineName, (dataDir: string) => Promise<CrashDatabase>>> = {
  sqlite: async (dataDir) => ({
    databaseUrl: undefined,
    atWork: null,
    async look() {
      const database = new Database(join(dataDir, 'gateway.sqlite'), { readonly: true });
      return {
        query: async <T>(sql: string) => database.prepare(sql).all() as T[],
        close: async () => void database.close(),
      };
    },
    remove: async () => {},
  }),
  postgres: async () => {
    const { databaseUrl, drop } = await createTestDatabase();
    return {
      databaseUrl,
      atWork: `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'content-security-gateway'`,
      async look() {
        const client = new pg.Client({ connectionString: databaseUrl });
        await client.connect();
        return {
          query: async <T>(sql: string) => (await client.query(sql)).rows as T[],
          close: () => client.end(),
        };
      },
      remove: drop,
    };
  },
};
