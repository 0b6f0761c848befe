import type { PreparedEntry } from '../audit/chain.ts';
import type { ProviderCall } from '../model/events.ts';
import type { Admission, AdmissionResult } from '../model/usage.ts';
import type { Database, SecurityEventsTable } from '../schema.ts';

/** A decision ready to be written. */
export interface PreparedDecision {
  readonly event: SecurityEventsTable;
  readonly entry: PreparedEntry;
  readonly usage: { readonly accountId: string; readonly device: boolean } | null;
  readonly deliveries: readonly Database['webhook_deliveries'][];
  /** The name that its usage is stored under. */
  readonly usageModel: string;
  readonly call: ProviderCall | null;
}

/** Requests to add to one account's counter of one period (YYYY-MM or YYYY-MM-DD). */
export interface Increment {
  readonly accountId: string;
  readonly period: string;
  requests: number;
  deviceRequests: number;
}

/** What one transaction writes. */
export interface Batch {
  readonly decisions: readonly PreparedDecision[];
  readonly admissions: readonly Admission[];
  readonly increments: readonly Increment[];
  /** When keys were last used. */
  readonly touches: ReadonlyMap<string, number>;
}

export interface BatchResult {
  /** One for each admission, in order. */
  readonly admissions: readonly AdmissionResult[];
  /** How many rows each audit chain grew by. */
  readonly grown: ReadonlyMap<string, number>;
}

/** What an attempt at a batch knows from the ones before. */
export interface WriteMode {
  /** The head of a chain is held against the last row there is. */
  readonly isSuspect: boolean;
  /** Some of the events are there already: what goes with an event waits until the database has said that it is new. */
  readonly hasKnown: boolean;
}

/** A batch holds an event that is there already; nothing of the batch was kept. */
export class KnownEvent extends Error {}

/** Writes a batch: all of it, or nothing and a StorageError. Called one batch at a time. */
export interface BatchWriter {
  write(batch: Batch): Promise<BatchResult>;
}
