/** Limits of one file, including everything packed in it. */
export const MAX_PAGES = 2_000;
const MAX_ENTRIES = 10_000;
/** Maximum nesting of archives. */
export const MAX_DEPTH = 3;
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024;
/** Limit of all files of one request. */
export const MAX_CHARACTERS = 10_000_000;

/** The remaining amount that one file may unpack; shared with the files in it. */
export interface Allowance {
  bytes: number;
  entries: number;
}

export const newAllowance = (): Allowance => ({ bytes: MAX_UNPACKED_BYTES, entries: MAX_ENTRIES });
