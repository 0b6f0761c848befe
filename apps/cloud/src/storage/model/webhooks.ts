import type { WebhookEventName } from '@csg/shared/contract';
import { bytes, flag, hidden, jsonOr, number, orNull, type RecordOf, table, text, word } from '../table.ts';

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An endpoint of a project, and the events it gets; null: all events. */
export interface WebhookRoute {
  /** null: the project's first endpoint. */
  readonly id: string | null;
  readonly events: readonly string[] | null;
}

/** `whk_…`. An endpoint of a project in addition to its first one. */
export const webhookTable = table({
  id: text,
  organizationId: hidden(text),
  projectId: text,
  isEnabled: flag,
  /** null: all events. */
  events: jsonOr<readonly string[] | null>(null),
  createdAtMs: number,
  url: hidden(text),
  sealedSecret: hidden(orNull(bytes)),
  previousSealedSecret: hidden(orNull(bytes)),
  /** When the previous secret expires. */
  previousUntilMs: hidden(orNull(number)),
});
export type FurtherWebhook = RecordOf<typeof webhookTable> & {
  readonly url: string;
  readonly isSigned: boolean;
};

export interface FurtherWebhooks {
  /** Oldest first. */
  list(organizationId: string, projectId: string): Promise<readonly FurtherWebhook[]>;
  insert(
    organizationId: string,
    projectId: string,
    input: Pick<FurtherWebhook, 'url' | 'isEnabled' | 'events'> & { readonly secret: string | null },
  ): Promise<FurtherWebhook>;
  /** null: the project has no such webhook. */
  update(
    organizationId: string,
    projectId: string,
    webhookId: string,
    change: Partial<Pick<FurtherWebhook, 'url' | 'isEnabled' | 'events'>>,
  ): Promise<FurtherWebhook | null>;
  remove(organizationId: string, projectId: string, webhookId: string): Promise<boolean>;
  /**
   * The previous secret stays valid until that time; null: it becomes invalid. Returns the time or null;
   * undefined: no such webhook.
   */
  rotateSecret(
    organizationId: string,
    projectId: string,
    webhookId: string,
    secret: string,
    previousUntilMs: number | null,
  ): Promise<number | null | undefined>;
}

/** An event to deliver to an endpoint. */
export interface NewDelivery {
  /** null: goes to the organization's audit target. */
  readonly projectId: string | null;
  /** A further endpoint of the project; absent: the first one. */
  readonly webhookId?: string | null;
  readonly event: WebhookEventName;
  /** Id of the event of the reported decision. */
  readonly eventId: string | null;
  /** The bytes that are sent and signed. */
  readonly payload: string;
  /** Attempted once, without automatic retries. */
  readonly isTest?: boolean;
  /** Set: only the first delivery with this key is stored for each webhook. */
  readonly onceKey?: string;
}

/** `whd_…`: does not change with retries. */
export const webhookDeliveryTable = table({
  /** null: goes to the organization's audit target. */
  projectId: orNull(text),
  /** null: the project's first endpoint. */
  webhookId: orNull(text),
  event: word<WebhookEventName>(),
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
export type WebhookDelivery = RecordOf<typeof webhookDeliveryTable>;

/** The destination, as currently configured. */
export interface WebhookTarget {
  readonly url: string | null;
  readonly isEnabled: boolean;
  /** Secrets that sign bodies: the current one, then the previous one while it is valid. */
  readonly secrets: readonly string[];
  /** Set if nothing may be sent, with the reason. */
  readonly problem?: string;
}

/** A delivery that only this caller may attempt until its lease expires. */
export interface ClaimedDelivery extends WebhookDelivery {
  readonly leaseId: string;
  readonly target: WebhookTarget;
}

export interface ClaimInput {
  /** Maximum number of deliveries in total. */
  readonly limit: number;
  /** Maximum number for each endpoint, including those in `busy`. */
  readonly perEndpoint: number;
  /** Deliveries the caller is processing, by id of webhook, else of project, else of organization. */
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
export interface WebhookAttempt {
  readonly number: number;
  readonly atMs: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The start of the endpoint's response. */
  readonly responseExcerpt: string | null;
}

/** Pending deliveries of an endpoint: the id is a further webhook's, or the project's for its first endpoint. */
export interface WebhookBacklog {
  readonly endpointId: string;
  readonly count: number;
  readonly oldestMs: number;
}

export interface ReplayInput {
  readonly projectId: string;
  /** null: the project's first endpoint. */
  readonly webhookId: string | null;
  readonly statuses: readonly DeliveryStatus[];
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
  readonly limit: number;
}

export interface SecretState {
  readonly createdAtMs: number;
  /** When the previous secret expires; null: there is none. */
  readonly previousUntilMs: number | null;
}

export interface Webhooks {
  enqueue(organizationId: string, deliveries: readonly NewDelivery[]): Promise<readonly WebhookDelivery[]>;
  /** Leases deliveries that are due, oldest first; each goes to one caller over all instances. */
  claim(input: ClaimInput): Promise<readonly ClaimedDelivery[]>;
  /** Leases a single delivery; null if it is not pending or is leased. */
  claimOne(organizationId: string, deliveryId: string, leaseMs: number): Promise<ClaimedDelivery | null>;
  /** Records the result of an attempt; false if another worker has taken over the lease. */
  settle(delivery: ClaimedDelivery, outcome: DeliveryOutcome): Promise<boolean>;
  get(organizationId: string, deliveryId: string): Promise<WebhookDelivery | null>;
  /** Newest first; at most 200 (default 50). */
  list(
    organizationId: string,
    query?: {
      readonly projectId?: string;
      readonly status?: DeliveryStatus;
      readonly event?: string;
      readonly limit?: number;
      readonly before?: { readonly createdAtMs: number; readonly id: string };
    },
  ): Promise<readonly WebhookDelivery[]>;
  /** Makes a failed delivery due again, with a new series of attempts; null if it has not failed. */
  retry(organizationId: string, deliveryId: string): Promise<WebhookDelivery | null>;
  /** Oldest first. */
  listAttempts(organizationId: string, deliveryId: string): Promise<readonly WebhookAttempt[]>;
  /**
   * Holds deliveries to the endpoint until it is resumed; tests are still sent. The id is a webhook's, or a
   * project's for its first endpoint.
   */
  pause(organizationId: string, endpointId: string): Promise<void>;
  resume(organizationId: string, endpointId: string): Promise<void>;
  listPaused(organizationId: string): Promise<readonly string[]>;
  /** Counts over all organizations. */
  countPending(): Promise<number>;
  listBacklogs(organizationId: string, projectId: string): Promise<readonly WebhookBacklog[]>;
  /** Makes these deliveries due again, with new series of attempts, oldest first; returns how many. */
  replay(organizationId: string, input: ReplayInput): Promise<number>;
  /** Deletes deliveries created before that time that are not pending, in steps; returns how many. */
  prune(beforeMs: number): Promise<number>;
  /** Secrets that sign bodies for a project: the current one, then the previous one while it is valid. */
  signingSecrets(projectId: string): Promise<readonly string[]>;
  getSecret(organizationId: string, projectId: string): Promise<SecretState | null>;
  /** The previous secret stays valid until that time; null: it becomes invalid. */
  putSecret(projectId: string, secret: string, previousUntilMs: number | null): Promise<SecretState>;
  removeSecret(organizationId: string, projectId: string): Promise<boolean>;
  getAuditTarget(organizationId: string): Promise<string | null>;
  /** null removes the target. */
  setAuditTarget(organizationId: string, url: string | null): Promise<void>;
}
