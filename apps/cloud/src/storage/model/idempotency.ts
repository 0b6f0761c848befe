/** Of one response; longer ones are not stored. */
export const MAX_STORED_BYTES = 1 << 20;

export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

export type IdempotencyStart =
  /** This caller does the work and must call finish or abandon on the lease. */
  | { readonly state: 'started'; readonly lease: IdempotencyLease }
  | { readonly state: 'running'; readonly leaseEndsAtMs: number }
  | { readonly state: 'done'; readonly response: StoredResponse }
  /** It is done, and its response was too large to be stored, or the organization's budget was used up. */
  | { readonly state: 'not_replayable' }
  /** Same key, another fingerprint. */
  | { readonly state: 'mismatch' };

/** Names one claim of one key. */
export interface LeaseName {
  readonly organizationId: string;
  readonly keyId: string;
  readonly key: string;
  readonly leaseId: string;
}

export interface IdempotencyLease {
  readonly name: LeaseName;
  /** false: the lease was lost (this process stood still too long) and the answer was not stored. */
  finish(response: StoredResponse): Promise<boolean>;
  /** Frees the key at once, as though nothing had been sent; not where an answer was kept. */
  abandon(): Promise<void>;
}

export interface Idempotency {
  /**
   * Exactly one caller over all processes gets `started`. The lease renews itself while the process lives; after
   * a crash the key is free again `leaseMs` later. Keys are scoped to the API key and forgotten after 24 hours.
   */
  begin(input: {
    readonly organizationId: string;
    readonly keyId: string;
    readonly key: string;
    readonly fingerprint: string;
    readonly leaseMs: number;
    readonly nowMs: number;
  }): Promise<IdempotencyStart>;
  /**
   * Stores the answer to a claim, in the transaction of the work it tells of. false: the lease was lost. An answer over
   * 1 MiB, or over the organization's budget for 24 hours, is not stored: a repeated key then gets `not_replayable`.
   */
  store(lease: LeaseName, response: StoredResponse): Promise<boolean>;
  /** Removes what is older than 24 hours; returns how many. */
  prune(nowMs: number): Promise<number>;
}
