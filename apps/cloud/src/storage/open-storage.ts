import type { Storage, StorageOptions } from './storage.ts';

/** Opens the database, brings its schema up to date under a lock, and refuses one that is newer than this build. */
export async function openStorage(_options: StorageOptions): Promise<Storage> {
  throw new Error('storage is being built');
}
