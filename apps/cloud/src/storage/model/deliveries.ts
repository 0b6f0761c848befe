import type { EndpointKind } from '@csg/shared/contract';
import { flag, hidden, number, orNull, type RecordOf, table, text, word } from '../table.ts';
import type { DeliveryTarget } from './endpoints.ts';

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An event, before it is known which endpoints get it. */
export interface DeliveryContent {
  /** null: of the organization. */
  readonly projectId: string | null;
  readonly event: string;
  /** Id of the event of the reported decision. */
  readonly eventId: string | null;
  /** The bytes that are sent and signed. */
  readonly payload: string;
  /** Attempted once, without automatic retries. */
  readonly isTest?: boolean;
  /** Set: only the first delivery with this key is stored for each endpoint. */
  readonly onceKey?: string;
}
export interface NewDelivery extends DeliveryContent {
  readonly endpointId: string;
}

/** `whd_…`: does not change with retries. Its endpoint may be gone. */
export const deliveryTable = table({
  endpointId: text,
  kind: word<EndpointKind>(),
  /** null: of the organization. */
  projectId: orNull(text),
  event: text,
  /** Id of the event of the reported decision. */
  eventId: orNull(text),
  /** The bytes that are sent and signed. */
  payload: text,
  isTest: flag,
  id: text,
  organizationId: text,
  status: word<DeliveryStatus>(),
  attempts: number,
  /** Failed attempts in the current series; a manual retry starts a new one. */
  failures: number,
  responseStatus: orNull(number),
  lastError: orNull(text),
  /** Time of the next attempt, while pending. */
  dueAtMs: number,
  lastAttemptAtMs: orNull(number),
  createdAtMs: number,
  leaseId: hidden(orNull(text)),
  /** 0: not leased. */
  leaseEndsAtMs: hidden(number),
});
export type Delivery = RecordOf<typeof deliveryTable>;

/** A delivery that only this caller may attempt until its lease expires. */
export interface ClaimedDelivery extends Delivery {
  readonly leaseId: string;
  readonly target: DeliveryTarget;
}

export interface ClaimInput {
  /** Maximum number of deliveries in total. */
  readonly limit: number;
  /** Maximum number for each endpoint, including those in `busy`. */
  readonly perEndpoint: number;
  /** Deliveries the caller is processing, by id of the endpoint. */
  readonly busy: ReadonlyMap<string, number>;
  readonly leaseMs: number;
}

export interface DeliveryOutcome {
  readonly status: DeliveryStatus;
  readonly failures: number;
  readonly responseStatus: number | null;
  readonly lastError: string | null;
  readonly dueAtMs: number;
  /** false: nothing was sent. */
  readonly isAttempt: boolean;
  readonly durationMs?: number;
  readonly responseExcerpt?: string | null;
}

/** The result of one attempt. */
export interface DeliveryAttempt {
  readonly number: number;
  readonly atMs: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The start of the endpoint's response. */
  readonly responseExcerpt: string | null;
}

/** Pending deliveries of an endpoint: how many, at most 1,000, and the oldest of those that are due first. */
export interface Backlog {
  readonly endpointId: string;
  readonly count: number;
  readonly oldestMs: number;
}

export interface ReplayInput {
  readonly endpointId: string;
  readonly statuses: readonly DeliveryStatus[];
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
  readonly limit: number;
}

export interface Deliveries {
  enqueue(organizationId: string, deliveries: readonly NewDelivery[]): Promise<readonly Delivery[]>;
  /** Stores a call that was made without being queued, with its result. */
  record(organizationId: string, delivery: NewDelivery, outcome: DeliveryOutcome): Promise<Delivery>;
  /** Leases deliveries that are due, oldest first; each goes to one caller over all instances. */
  claim(input: ClaimInput): Promise<readonly ClaimedDelivery[]>;
  /** Leases a single delivery; null if it is not pending or is leased. */
  claimOne(organizationId: string, deliveryId: string, leaseMs: number): Promise<ClaimedDelivery | null>;
  /** Records the result of an attempt, also with its endpoint; false if another worker has taken over the lease. */
  settle(delivery: ClaimedDelivery, outcome: DeliveryOutcome): Promise<boolean>;
  get(organizationId: string, deliveryId: string): Promise<Delivery | null>;
  /** Newest first; at most 200 (default 50). */
  list(
    organizationId: string,
    query?: {
      readonly kinds?: readonly EndpointKind[];
      readonly endpointId?: string;
      readonly projectId?: string;
      readonly status?: DeliveryStatus;
      readonly event?: string;
      readonly limit?: number;
      readonly before?: { readonly createdAtMs: number; readonly id: string };
    },
  ): Promise<readonly Delivery[]>;
  /** Makes a failed delivery due again, with a new series of attempts; null if it has not failed. */
  retry(organizationId: string, deliveryId: string): Promise<Delivery | null>;
  /** Oldest first. */
  listAttempts(organizationId: string, deliveryId: string): Promise<readonly DeliveryAttempt[]>;
  /** Counts over all organizations. */
  countPending(): Promise<number>;
  /** Endpoints without pending deliveries are left out. */
  listBacklogs(organizationId: string, endpointIds: readonly string[]): Promise<readonly Backlog[]>;
  /** Makes these deliveries due again, with new series of attempts, oldest first; returns how many. */
  replay(organizationId: string, input: ReplayInput): Promise<number>;
  /** Deletes deliveries created before that time that are not pending, in steps; returns how many. */
  prune(beforeMs: number): Promise<number>;
}
