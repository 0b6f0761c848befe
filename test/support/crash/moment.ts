/** Moments at which a process is killed, as data. */

/** Seen inside the process that dies, by `hook.ts`. */
export interface SqlMoment {
  /** Of the statement, not case-sensitive. */
  readonly statement: string;
  /** What some value of the statement has to hold; `$` stands for the round's mark. */
  readonly holds?: string;
  /** The how many-th such statement; 1 where nothing is said. */
  readonly nth?: number;
  /**
   * `written`: it ran, and its transaction is open. `committing`: COMMIT is on its way (PostgreSQL) or next (SQLite).
   * `committed`: the database has said so, and no client was told.
   */
  readonly when: 'written' | 'committing' | 'committed';
}

/** Seen on the wire, by `tap.ts`: what has passed on its way to the one who serves, or, `answer-…`, back. */
export type WireMoment = 'connected' | 'head' | 'half' | 'whole' | 'answer-head' | 'answer-half';

/** What the harness tells `hook.ts`, each answered with a `done`. */
export type HookOrder =
  | { readonly order: 'arm'; readonly moment: SqlMoment }
  | { readonly order: 'advance'; readonly ms: number };

/** Milliseconds by which the clock of the process is ahead when it starts. */
export const AHEAD_VARIABLE = 'CRASH_CLOCK_AHEAD_MS';
