import type { Kysely } from 'kysely';

/** Types whose names differ between the engines. */
export interface ColumnTypes {
  readonly blob: 'blob' | 'bytea';
}

export interface Migration {
  readonly name: string;
  /** Runs inside the migrating transaction. Never change a released migration: add another one. */
  // biome-ignore lint/suspicious/noExplicitAny: a migration works on the schema of its time, not on today's.
  up(db: Kysely<any>, types: ColumnTypes): Promise<void>;
}
