import type { PreparedEntry } from '../audit/chain.ts';
import type { ProviderCall } from '../model/events.ts';
import type { Admission, AdmissionResult } from '../model/usage.ts';
import type { Database, SecurityEventsTable } from '../schema.ts';

/** A decision ready to be written. */
export interface PreparedDecision {
  readonly event: SecurityEventsTable;
  /** The UTC day of the event, YYYY-MM-DD. */
  readonly day: string;
  readonly entry: PreparedEntry;
  readonly usage: { readonly accountId: string; readonly device: boolean } | null;
  readonly deliveries: readonly Database['webhook_deliveries'][];
  /** The model name under which its usage is stored. */
  readonly usageModel: string;
  readonly call: ProviderCall | null;
  /** Under which its usage is also stored. */
  readonly labels: readonly string[];
}

/** Requests to add to one account's counter of one period (YYYY-MM or YYYY-MM-DD). */
export interface Increment {
  readonly accountId: string;
  readonly period: string;
  requests: number;
  deviceRequests: number;
}

/** The content of one transaction. */
export interface Batch {
  readonly decisions: readonly PreparedDecision[];
  readonly admissions: readonly Admission[];
  readonly increments: readonly Increment[];
  /** Last use of keys, by key id. */
  readonly touches: ReadonlyMap<string, number>;
}

export interface BatchResult {
  /** One for each admission, in order. */
  readonly admissions: readonly AdmissionResult[];
  /** How many rows each audit chain grew by. */
  readonly grown: ReadonlyMap<string, number>;
}

/** What earlier attempts at the same batch have revealed. */
export interface WriteMode {
  /** True: the head of each chain is compared with its last row. */
  readonly isSuspect: boolean;
  /** True: some events are stored already. Dependent writes wait until the database reports their event as new. */
  readonly hasKnown: boolean;
}

/** A batch contains an event that is stored already; nothing of the batch was stored. */
export class KnownEvent extends Error {}

/** Writes a batch completely, or writes nothing and throws a StorageError. Handles one batch at a time. */
export interface BatchWriter {
  write(batch: Batch): Promise<BatchResult>;
}
