/** Of one file with all that is packed in it. */
export const MAX_PAGES = 2_000;
const MAX_ENTRIES = 10_000;
/** A compressed archive in a compressed archive in a compressed archive. */
export const MAX_DEPTH = 3;
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024;
/** Of all files of one request. */
export const MAX_CHARACTERS = 10_000_000;

/** What one file may still unpack; handed down to the files in it. */
export interface Allowance {
  bytes: number;
  entries: number;
}

export const newAllowance = (): Allowance => ({ bytes: MAX_UNPACKED_BYTES, entries: MAX_ENTRIES });
