/** Moments for killing a process, as data. */

/** Detected within the process, by `hook.ts`. */
export interface SqlMoment {
  /** Part of the statement, case-insensitive. */
  readonly statement: string;
  /** Text that some value of the statement has to contain; `$` is replaced by the round's mark. */
  readonly holds?: string;
  /** Which of these statements; the first by default. */
  readonly nth?: number;
  /**
   * `written`: it ran, and its transaction is open. `committing`: COMMIT is being sent (PostgreSQL) or next (SQLite).
   * `committed`: the database has confirmed it, and no client has a response.
   */
  readonly when: 'written' | 'committing' | 'committed';
}

/** Detected on the connection, by `tap.ts`: how much has passed to the server or, for `answer-…`, back. */
export type WireMoment = 'connected' | 'head' | 'half' | 'whole' | 'answer-head' | 'answer-half';

/** Messages of the harness to `hook.ts`, each confirmed with `done`. */
export type HookCommand =
  | { readonly order: 'arm'; readonly moment: SqlMoment }
  | { readonly order: 'advance'; readonly ms: number };

/** The time at the start of the process, at which its clock stands until it is advanced. Absent: the system's clock. */
export const CLOCK_VARIABLE = 'CRASH_CLOCK_MS';
