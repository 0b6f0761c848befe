import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';
import type { Vault } from '../sealing/vault.ts';
import { StorageError, type StorageErrorCode } from '../storage-error.ts';

/** Dependencies of a repository. `db` is the database, or a transaction that it takes part in. */
export interface RepositoryDeps {
  readonly db: Kysely<Database>;
  /** Like `db`, for selects whose cost grows with the stored data; in a transaction the same as `db`. */
  readonly reads: Kysely<Database>;
  readonly vault: Vault;
  readonly now: () => number;
}

/** Runs an insert or update and maps a uniqueness conflict to the given error code. */
export async function withConflictCode<T>(
  code: StorageErrorCode,
  message: string,
  write: Promise<T>,
): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'conflict') {
      throw new StorageError(code, message, { cause: error });
    }
    throw error;
  }
}

/** Returns a change without its undefined fields. */
export function omitUndefined<T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as never;
}
