const STORAGE_ERROR_CODES = [
  'not_found',
  'email_taken',
  'personal_exists',
  'already_member',
  'conflict',
  /** The parent of the record is gone, or children still exist: a concurrent change. */
  'broken_reference',
  /** This transaction deadlocked with another and was rolled back. */
  'deadlock',
  /** The record itself cannot be stored; other records can. */
  'rejected',
  /** The database cannot be reached, or is too busy. */
  'unavailable',
  'disk_full',
  'newer_schema',
  /** The database has other contents, or a schema that no build has created. */
  'unknown_schema',
  'wrong_master_key',
  'closed',
] as const;
export type StorageErrorCode = (typeof STORAGE_ERROR_CODES)[number];

export const BROKEN_REFERENCE = 'What this belongs to was changed or deleted at the same moment.';

/** An expected failure of storage. `code` is stable; `message` is one readable sentence. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'StorageError';
    this.code = code;
  }
}
