export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** Something that happened. Ids only, never names or addresses: rows outlive the erasure of personal data. */
export interface AuditEntry {
  readonly organizationId: string;
  /** In the past tense or the specification's own: `policy_allow`, `policy_block`, `key_created`, … */
  readonly kind: string;
  /** Id of the user, key or device that did it, or `system` or `operator`. */
  readonly actor: string;
  /** Id of what it was done to. */
  readonly subject: string;
  readonly data: JsonObject;
  /** Default: the storage's clock. */
  readonly atMs?: number;
}

export interface AuditRow extends Required<AuditEntry> {
  /** 1, 2, 3 … without gaps within the organization. */
  readonly seq: number;
  /** Lower-case hex. */
  readonly prevHash: string;
  readonly hash: string;
}

/** A signed statement "row `seq` of this chain has hash `hash`". */
export interface Checkpoint {
  readonly organizationId: string;
  /** 1, 2, 3 … within the organization. */
  readonly number: number;
  readonly seq: number;
  readonly hash: string;
  readonly atMs: number;
  /** Which file it was also written to. */
  readonly fileId: string;
  /** Names the signing key: first 16 hex digits of SHA-256 over its raw public key. */
  readonly keyId: string;
  /** Ed25519, base64. */
  readonly signature: string;
}

const CHAIN_PROBLEMS = [
  'row_changed',
  'row_missing',
  'row_unexpected',
  'link_broken',
  'head_changed',
  'tail_missing',
  'break_recorded',
  'columns_changed',
  'checkpoint_forged',
  'checkpoint_mismatch',
  'checkpoint_missing',
  'checkpoint_replayed',
  'event_changed',
  'event_missing',
  'event_unrecorded',
] as const;
export type ChainProblem = (typeof CHAIN_PROBLEMS)[number];

export interface AuditReport {
  readonly valid: boolean;
  /** Rows that were read and found right. */
  readonly checked: number;
  readonly first_invalid?: { readonly seq: number; readonly reason: ChainProblem; readonly message: string };
  /** Every fault found, in the order found; at most 20. */
  readonly faults: readonly {
    readonly seq: number;
    readonly reason: ChainProblem;
    readonly message: string;
  }[];
  /** Highest row that a genuine checkpoint covers; 0: none. */
  readonly anchored_until: number;
  /** Rows after it: they hold together, and nothing outside vouches for them. */
  readonly unanchored_tail: number;
  readonly checkpoints: readonly {
    readonly number: number;
    readonly seq: number;
    readonly at_ms: number;
    readonly valid: boolean;
    readonly found_in: readonly ('database' | 'file')[];
  }[];
  /** Things to know that are no fault, such as a checkpoint file that lives elsewhere. */
  readonly notes: readonly string[];
  /** Events that are as their audit row recorded them. */
  readonly events_checked: number;
  /** Ids of events that differ from their audit row, at most 1,000. */
  readonly events_changed: readonly string[];
  /** Ids of events that are gone without a row that says that they were deleted, at most 1,000. */
  readonly events_missing: readonly string[];
  /** Ids of events that stand in no audit row, at most 1,000. */
  readonly events_unrecorded: readonly string[];
  /** The row from which on every decision has a digest of its event; older ones are not compared. */
  readonly events_covered_from: number;
}

export interface AuditPage {
  readonly rows: readonly AuditRow[];
  /** null: no older ones. */
  readonly next: number | null;
}

export interface AuditQuery {
  readonly before?: number;
  /** At most 200; default 50. */
  readonly limit?: number;
  readonly kind?: string;
  /** `changes`: what people and commands did; `decisions`: policy_allow and policy_block. */
  readonly only?: 'changes' | 'decisions';
  readonly actor?: string;
  readonly subject?: string;
  readonly fromMs?: number;
  /** Not included. */
  readonly toMs?: number;
}

/** What a time-stamp authority signed about a checkpoint's line: it existed at that time. */
export interface CheckpointTimestamp {
  readonly organizationId: string;
  /** Of the checkpoint. */
  readonly number: number;
  /** By the authority. */
  readonly atMs: number;
  /** RFC 3161, base64 of DER. */
  readonly token: string;
}

/** A chain in numbers. */
export interface AuditSummary {
  /** Rows of the span by kind. */
  readonly kinds: ReadonlyMap<string, number>;
  /** The last row of the whole chain; 0: none. */
  readonly lastSeq: number;
  /** The newest checkpoint; null: none yet. */
  readonly checkpoint: Pick<Checkpoint, 'number' | 'seq' | 'atMs'> | null;
}

export interface Audit {
  /** In the caller's transaction, or one of its own. Resolves once stored. */
  append(entry: AuditEntry): Promise<{ readonly seq: number; readonly hash: string }>;
  /**
   * Newest first; `before`: only rows with a lower seq. A page of changes is full however many decisions lie between.
   * Among decisions a bounded part of the chain is read: if few match the filter, a page may contain fewer than its
   * limit, or none, and `next` still goes on.
   */
  page(organizationId: string, query?: AuditQuery): Promise<AuditPage>;
  /** Counts the rows of a span; `toMs` is not included. */
  summarize(
    organizationId: string,
    span: { readonly fromMs: number; readonly toMs: number },
  ): Promise<AuditSummary>;
  /** Writes a checkpoint for every chain that has grown since its last one (or only for this organization's). */
  checkpoint(organizationId?: string): Promise<number>;
  /** Reads the whole chain in steps. Writes nothing: call `checkpoint` after it where the tail should be anchored. */
  verify(organizationId: string): Promise<AuditReport>;
  /** The newest checkpoint of each chain that has no time stamp yet, with its line as it stands in the file; at most 100. */
  listUnstamped(): Promise<
    readonly { readonly organizationId: string; readonly number: number; readonly line: string }[]
  >;
  storeTimestamp(timestamp: CheckpointTimestamp): Promise<void>;
  /** The newest time stamp of a chain, and the line and last row of its checkpoint. */
  latestTimestamp(
    organizationId: string,
  ): Promise<{ readonly seq: number; readonly line: string; readonly timestamp: CheckpointTimestamp } | null>;
  /** Organizations that have a chain. */
  listOrganizations(): Promise<readonly string[]>;
  /** JSONL lines (each ends in a newline): a header with the public key, the rows, the checkpoints, their time stamps. */
  exportLines(organizationId: string): AsyncIterable<string>;
  /** SPKI PEM of the key that signs checkpoints. */
  readonly publicKeyPem: string;
}
