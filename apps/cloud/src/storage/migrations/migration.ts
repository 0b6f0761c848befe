import type { Kysely } from 'kysely';

/** What the engines spell differently in a table definition. */
export interface ColumnTypes {
  readonly blob: 'blob' | 'bytea';
}

export interface Migration {
  readonly name: string;
  /** Runs inside the migrating transaction. Never changed once released: add another one. */
  // biome-ignore lint/suspicious/noExplicitAny: a migration works on the schema of its time, not on today's.
  up(db: Kysely<any>, types: ColumnTypes): Promise<void>;
}
