const STORAGE_ERROR_CODES = [
  'not_found',
  'email_taken',
  'personal_exists',
  'already_member',
  'conflict',
  /** What the record belongs to is gone, or something still belongs to it: it changed at the same moment. */
  'broken_reference',
  /** This transaction and another waited for each other; it was taken back. */
  'deadlock',
  /** The record itself cannot be stored; others can. */
  'rejected',
  /** The database cannot be reached, or is too busy. */
  'unavailable',
  'disk_full',
  'newer_schema',
  /** The database holds something else, or what no build has left behind. */
  'unknown_schema',
  'wrong_master_key',
  'closed',
] as const;
export type StorageErrorCode = (typeof STORAGE_ERROR_CODES)[number];

export const BROKEN_REFERENCE = 'What this belongs to was changed or deleted at the same moment.';

/** An expected failure of storage. `code` is stable; `message` is one sentence for a person. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'StorageError';
    this.code = code;
  }
}
