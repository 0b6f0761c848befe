/** Maximum size of one response; longer ones are not stored. */
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
  /** Completed, but its response was too large to be stored, or exceeded the organization's budget. */
  | { readonly state: 'not_replayable' }
  /** Same key, different fingerprint. */
  | { readonly state: 'mismatch' };

/** Identifies one lease of one key. */
export interface LeaseName {
  readonly organizationId: string;
  readonly keyId: string;
  readonly key: string;
  readonly leaseId: string;
}

export interface IdempotencyLease {
  readonly name: LeaseName;
  /** false: the lease was lost (this process was suspended for too long) and the response was not stored. */
  finish(response: StoredResponse): Promise<boolean>;
  /** Frees the key immediately, as if nothing had been sent; has no effect if a response was stored. */
  abandon(): Promise<void>;
}

export interface Idempotency {
  /**
   * Returns `started` to exactly one caller over all processes. The lease renews itself while the process lives; after
   * a crash the key is free again after `leaseMs`. Keys are scoped to the API key and deleted after 24 hours.
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
   * Stores the response for a lease, in the transaction of the work that it reports. false: the lease was
   * lost. A response over 1 MiB, or over the organization's budget for 24 hours, is not stored: a repeated key
   * then gets `not_replayable`.
   */
  store(lease: LeaseName, response: StoredResponse): Promise<boolean>;
  /** Removes what is older than 24 hours; returns how many. */
  prune(nowMs: number): Promise<number>;
}
