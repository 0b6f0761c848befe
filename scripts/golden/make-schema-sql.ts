import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';
import { MIGRATIONS } from '../../apps/cloud/src/storage/migrations/all.ts';

const ENGINES = {
  sqlite: {
    adapter: () => new SqliteAdapter(),
    compiler: () => new SqliteQueryCompiler(),
    columnTypes: { blob: 'blob' },
  },
  postgres: {
    adapter: () => new PostgresAdapter(),
    compiler: () => new PostgresQueryCompiler(),
    columnTypes: { blob: 'bytea' },
  },
} as const;

/** The statements that the migrations run on one engine, compiled without a database. */
export async function makeSchemaSql(engine: keyof typeof ENGINES): Promise<string> {
  const { adapter, compiler, columnTypes } = ENGINES[engine];
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: adapter,
      createDriver: () => new DummyDriver(),
      createQueryCompiler: compiler,
      createIntrospector: () => {
        throw new Error('a migration queried the database');
      },
    },
    log: ({ query }) => {
      statements.push(`${query.sql};`);
    },
  });
  for (const migration of MIGRATIONS) {
    statements.push(`-- ${migration.name}`);
    await migration.up(db, columnTypes);
  }
  await db.destroy();
  return statements.join('\n');
}
