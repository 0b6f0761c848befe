/** One request to be counted. */
export interface Admission {
  readonly accountId: string;
  /** The monthly count must stay below this: quota, or quota plus what the spend cap buys. null: none. */
  readonly limit: number | null;
  /** Scans of enrolled devices are counted but never rejected. */
  readonly device: boolean;
  readonly nowMs: number;
}

export interface AdmissionResult {
  readonly admitted: boolean;
  /** The monthly count, including this request if admitted. null if it was not read (device, no limit). */
  readonly used: number | null;
}

export interface UsageStats {
  /** Requests of the month, including those of devices. */
  readonly month: number;
  readonly monthDevice: number;
  /** Days with requests, oldest first; `date` as YYYY-MM-DD in UTC. */
  readonly days: readonly {
    readonly date: string;
    readonly requests: number;
    readonly deviceRequests: number;
  }[];
}

export interface Usage {
  /**
   * Counts one request if the month stays within `limit`: exact over callers, processes and instances. With a limit it
   * resolves once committed. Without one, or for a device, it resolves immediately: the count is written in the
   * transaction of the next recorded decision, or within a quarter of a second.
   */
  admit(admission: Admission): Promise<AdmissionResult>;
  /** Days as YYYY-MM-DD, both inclusive; month as YYYY-MM; all in UTC. */
  stats(
    accountId: string,
    range: { readonly fromDay: string; readonly toDay: string; readonly month: string },
  ): Promise<UsageStats>;
  /** The current count of a month (YYYY-MM in UTC). */
  monthTotal(accountId: string, month: string): Promise<number>;
  /** Model tokens that a key has used on a day (YYYY-MM-DD in UTC). */
  tokensOf(key: TokenCounter): Promise<number>;
  /** Adds tokens, exact over callers, processes and instances. Counts of earlier days are discarded. */
  addTokens(key: TokenCounter, tokens: number): Promise<void>;
  /**
   * Adds tokens if the current count is below `limit`, with the same exactness. Returns null on success,
   * otherwise the current count.
   */
  reserveTokens(key: TokenCounter, tokens: number, limit: number): Promise<number | null>;
  /** Adjusts the count of the current day of a key; the counts of earlier days are no longer stored. */
  adjustTokens(key: TokenCounter, by: number): Promise<void>;
}

export interface TokenCounter {
  readonly organizationId: string;
  readonly keyId: string;
  readonly day: string;
}
