export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** An audit event. Contains ids only, never names or addresses: rows outlive the erasure of personal data. */
export interface AuditEntry {
  readonly organizationId: string;
  /** In the past tense, or as specified: `policy_allow`, `policy_block`, `key_created`, … */
  readonly kind: string;
  /** Id of the user, key or device that acted, or `system` or `operator`. */
  readonly actor: string;
  /** Id of the object of the action. */
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

/** A row with the address of the client, which is no part of the chain; null: unknown, erased or expired. */
export interface ShownAuditRow extends AuditRow {
  readonly address: string | null;
}

/** A signed statement "row `seq` of this chain has hash `hash`". */
export interface Checkpoint {
  readonly organizationId: string;
  /** 1, 2, 3 … within the organization. */
  readonly number: number;
  readonly seq: number;
  readonly hash: string;
  readonly atMs: number;
  /** Id of the checkpoint file that also contains it. */
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
  /** Number of rows read and found valid. */
  readonly checked: number;
  readonly first_invalid?: { readonly seq: number; readonly reason: ChainProblem; readonly message: string };
  /** Problems in the order found, at most 20. */
  readonly faults: readonly {
    readonly seq: number;
    readonly reason: ChainProblem;
    readonly message: string;
  }[];
  /** Highest row that a genuine checkpoint covers; 0: none. */
  readonly anchored_until: number;
  /** Rows after that: consistent, but not covered by a checkpoint. */
  readonly unanchored_tail: number;
  readonly checkpoints: readonly {
    readonly number: number;
    readonly seq: number;
    readonly at_ms: number;
    readonly valid: boolean;
    readonly found_in: readonly ('database' | 'file')[];
  }[];
  /** Information that is not a problem, such as a checkpoint file at another location. */
  readonly notes: readonly string[];
  /** Number of events that match their audit row. */
  readonly events_checked: number;
  /** Ids of events that differ from their audit row, at most 1,000. */
  readonly events_changed: readonly string[];
  /** Ids of events that are missing although no row records their deletion, at most 1,000. */
  readonly events_missing: readonly string[];
  /** Ids of events that no audit row names, at most 1,000. */
  readonly events_unrecorded: readonly string[];
  /** The first row from which every decision has a digest of its event; older events are not compared. */
  readonly events_covered_from: number;
}

/** How far a verification has come. */
export interface VerifyProgress {
  /** Rows of the chain that were read. */
  readonly rows: number;
  /** Rows that the chain should have. */
  readonly of: number;
}

export interface AuditPage {
  readonly rows: readonly ShownAuditRow[];
  /** null: no older ones. */
  readonly next: number | null;
}

export interface AuditQuery {
  readonly before?: number;
  /** At most 200; default 50. */
  readonly limit?: number;
  readonly kind?: string;
  /** `changes`: actions of people and commands; `decisions`: policy_allow and policy_block. */
  readonly only?: 'changes' | 'decisions';
  readonly actor?: string;
  readonly subject?: string;
  /** Address of the client. */
  readonly address?: string;
  readonly fromMs?: number;
  /** Not included. */
  readonly toMs?: number;
}

/** A timestamp authority's signature over a checkpoint's line: proof that it existed at that time. */
export interface CheckpointTimestamp {
  readonly organizationId: string;
  /** Number of the checkpoint. */
  readonly number: number;
  /** Time given by the authority. */
  readonly atMs: number;
  /** RFC 3161, base64 of DER. */
  readonly token: string;
}

/** Counts of a chain. */
export interface AuditSummary {
  /** Rows in the span by kind. */
  readonly kinds: ReadonlyMap<string, number>;
  /** The last row of the whole chain; 0: none. */
  readonly lastSeq: number;
  /** The newest checkpoint; null: none yet. */
  readonly checkpoint: Pick<Checkpoint, 'number' | 'seq' | 'atMs'> | null;
}

export interface Audit {
  /** Runs in the caller's transaction, or in its own. Resolves once stored. */
  append(entry: AuditEntry): Promise<{ readonly seq: number; readonly hash: string }>;
  /** The same for entries of one organization, in order. */
  appendAll(entries: readonly AuditEntry[]): Promise<void>;
  /** Rows that the work appends have this address of the client. */
  from<T>(address: string, work: () => T): T;
  /**
   * Returns rows, newest first; `before`: only those older than the row with this seq. A page of changes is always full, regardless of
   * the decisions in between. A query of decisions reads a bounded part of the chain: if few rows match the filter, a
   * page may have fewer rows than its limit, or none, and `next` still continues.
   */
  page(organizationId: string, query?: AuditQuery): Promise<AuditPage>;
  /** Counts the rows of a span; `toMs` is not included. */
  summarize(
    organizationId: string,
    span: { readonly fromMs: number; readonly toMs: number },
  ): Promise<AuditSummary>;
  /**
   * Writes a checkpoint for every chain (or this organization's) that has grown since its last one; returns how many.
   */
  checkpoint(organizationId?: string): Promise<number>;
  /**
   * Reads the whole chain on a thread of its own, in time linear in its rows. Writes nothing: call `checkpoint` first
   * if the tail should be covered by one.
   */
  verify(organizationId: string, onProgress?: (progress: VerifyProgress) => void): Promise<AuditReport>;
  /** The newest checkpoint of each chain, if it has no timestamp yet, with its line as in the file; at most 100. */
  /** Deletes the addresses of clients beside rows from before this time. The rows stay, and the chain. */
  pruneAddresses(beforeMs: number): Promise<void>;
  listUnstamped(): Promise<
    readonly { readonly organizationId: string; readonly number: number; readonly line: string }[]
  >;
  storeTimestamp(timestamp: CheckpointTimestamp): Promise<void>;
  /** The newest timestamp of a chain, with the line and last row of its checkpoint. */
  latestTimestamp(
    organizationId: string,
  ): Promise<{ readonly seq: number; readonly line: string; readonly timestamp: CheckpointTimestamp } | null>;
  /** Organizations that have a chain. */
  listOrganizations(): Promise<readonly string[]>;
  /** Yields JSONL lines, each ending in a newline: a header with the public key, rows, checkpoints, timestamps. */
  exportLines(organizationId: string): AsyncIterable<string>;
  /** SPKI PEM of the key that signs checkpoints. */
  readonly publicKeyPem: string;
}
