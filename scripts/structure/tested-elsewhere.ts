/**
 * Source files with logic that have no test file of their own, and which test runs them instead. Held to both ways:
 * an entry that matches no such file, or names a test that is gone, is a fault.
 */
export interface TestedElsewhere {
  /** A file, or a folder with a slash at its end. */
  readonly source: string;
  readonly by: string;
  readonly because: string;
}

export const TESTED_ELSEWHERE: readonly TestedElsewhere[] = [];

/** Test support that waits on purpose (a vendor that stalls); no test does so itself. */
export const MAY_WAIT: readonly string[] = ['test/support/vendor/'];
