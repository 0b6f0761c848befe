/** One request to be counted. */
export interface Admission {
  readonly accountId: string;
  /** The count the month must stay under: quota, or quota plus what the spend cap buys. null: none. */
  readonly limit: number | null;
  /** Scans of enrolled devices count, and are never refused. */
  readonly device: boolean;
  readonly nowMs: number;
}

export interface AdmissionResult {
  readonly admitted: boolean;
  /** The month's count, this one included if admitted. null where nothing was read (device, no limit). */
  readonly used: number | null;
}

export interface UsageStats {
  /** Requests of the month, devices' included. */
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
   * Counts one request if the month stays within `limit`: exact over callers, processes and instances.
   * With a limit it resolves once committed. Without one, or for a device, at once: the count is written in the
   * same transaction as the next decision recorded, or within a quarter of a second.
   */
  admit(admission: Admission): Promise<AdmissionResult>;
  /** Dates as YYYY-MM-DD, both included; month as YYYY-MM; all UTC. */
  stats(
    accountId: string,
    range: { readonly fromDay: string; readonly toDay: string; readonly month: string },
  ): Promise<UsageStats>;
  /** The month's count now. Month as YYYY-MM in UTC. */
  monthTotal(accountId: string, month: string): Promise<number>;
  /** Tokens of models that a key has used on a day: YYYY-MM-DD in UTC. */
  tokensOf(key: TokenCounter): Promise<number>;
  /** Counts them, exact over callers, processes and instances. Earlier days are forgotten. */
  addTokens(key: TokenCounter, tokens: number): Promise<void>;
  /** Counts them if fewer than `limit` are counted yet, exact like the rest. Null: they are; else how many there were. */
  reserveTokens(key: TokenCounter, tokens: number, limit: number): Promise<number | null>;
  /** Changes the count of a day that is still counted; of an earlier one nothing is left. */
  adjustTokens(key: TokenCounter, by: number): Promise<void>;
}

export interface TokenCounter {
  readonly organizationId: string;
  readonly keyId: string;
  readonly day: string;
}
