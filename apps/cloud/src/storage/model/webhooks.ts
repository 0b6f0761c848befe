import type { WebhookEventName } from '@csg/shared/contract';
import { bytes, flag, hidden, jsonOr, number, orNull, type RecordOf, table, text, word } from '../table.ts';

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Where events of a project go, and which; null: all of them. */
export interface WebhookRoute {
  /** null: the project's first endpoint. */
  readonly id: string | null;
  readonly events: readonly string[] | null;
}

/** `whk_…`. An endpoint of a project beside its first. */
export const webhookTable = table({
  id: text,
  organizationId: hidden(text),
  projectId: text,
  isEnabled: flag,
  /** null: all of them. */
  events: jsonOr<readonly string[] | null>(null),
  createdAtMs: number,
  url: hidden(text),
  sealedSecret: hidden(orNull(bytes)),
  previousSealedSecret: hidden(orNull(bytes)),
  /** Until when the secret before is valid too. */
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
  /** null: the project has no such one. */
  update(
    organizationId: string,
    projectId: string,
    webhookId: string,
    change: Partial<Pick<FurtherWebhook, 'url' | 'isEnabled' | 'events'>>,
  ): Promise<FurtherWebhook | null>;
  remove(organizationId: string, projectId: string, webhookId: string): Promise<boolean>;
  /** The one before stays valid until then; null: not at all. Returns until when, or null; undefined: no such webhook. */
  rotateSecret(
    organizationId: string,
    projectId: string,
    webhookId: string,
    secret: string,
    previousUntilMs: number | null,
  ): Promise<number | null | undefined>;
}

/** Something to be told to a receiver. */
export interface NewDelivery {
  /** null: to the organization's audit target. */
  readonly projectId: string | null;
  /** An endpoint beside the project's first; absent: the first. */
  readonly webhookId?: string | null;
  readonly event: WebhookEventName;
  /** Of the decision it tells. */
  readonly eventId: string | null;
  /** The bytes that are sent and signed. */
  readonly payload: string;
  /** Tried once, and not again by itself. */
  readonly isTest?: boolean;
  /** Set: only the first with this key is kept for each webhook. */
  readonly onceKey?: string;
}

/** `whd_…`: stays the same over retries. */
export const webhookDeliveryTable = table({
  /** null: for the organization's audit target. */
  projectId: orNull(text),
  /** null: the project's first endpoint. */
  webhookId: orNull(text),
  event: word<WebhookEventName>(),
  /** Of the decision it reports. */
  eventId: orNull(text),
  /** The bytes that are sent and signed. */
  payload: text,
  isTest: flag,
  id: text,
  organizationId: text,
  status: word<DeliveryStatus>(),
  attempts: number,
  /** Attempts that failed in the present series; a manual retry begins a new one. */
  failures: number,
  responseStatus: orNull(number),
  lastError: orNull(text),
  /** When it is tried next, while it is pending. */
  dueAtMs: number,
  lastAttemptAtMs: orNull(number),
  createdAtMs: number,
  leaseId: hidden(orNull(text)),
  /** 0: no one has it. */
  leaseEndsAtMs: hidden(number),
});
export type WebhookDelivery = RecordOf<typeof webhookDeliveryTable>;

/** The destination, as configured now. */
export interface WebhookTarget {
  readonly url: string | null;
  readonly isEnabled: boolean;
  /** What bodies are signed with: the present secret, then the one before while it is still valid. */
  readonly secrets: readonly string[];
  /** Set: nothing may be sent, and why. */
  readonly problem?: string;
}

/** One that is this caller's to try until its lease ends. */
export interface ClaimedDelivery extends WebhookDelivery {
  readonly leaseId: string;
  readonly target: WebhookTarget;
}

export interface ClaimInput {
  /** At most so many in all. */
  readonly limit: number;
  /** At most so many of one receiver, those in `busy` counted. */
  readonly perEndpoint: number;
  /** What the caller has under way, by id of webhook, else of project, else of organization. */
  readonly busy: ReadonlyMap<string, number>;
  readonly leaseMs: number;
}

export interface DeliveryOutcome {
  readonly status: DeliveryStatus;
  readonly failures: number;
  readonly responseStatus: number | null;
  readonly lastError: string | null;
  readonly dueAtMs: number;
  /** False: nothing was sent. */
  readonly isAttempt: boolean;
  readonly durationMs?: number;
  readonly responseExcerpt?: string | null;
}

/** How one attempt ended. */
export interface WebhookAttempt {
  readonly number: number;
  readonly atMs: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The start of what the endpoint responded. */
  readonly responseExcerpt: string | null;
}

/** What waits for an endpoint: a further webhook, or by the id of its project the first. */
export interface WebhookBacklog {
  readonly endpointId: string;
  readonly count: number;
  readonly oldestMs: number;
}

export interface ReplayInput {
  readonly projectId: string;
  /** null: the project's first. */
  readonly webhookId: string | null;
  readonly statuses: readonly DeliveryStatus[];
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
  readonly limit: number;
}

export interface SecretState {
  readonly createdAtMs: number;
  /** Until when the one before is valid too; null: there is none. */
  readonly previousUntilMs: number | null;
}

export interface Webhooks {
  enqueue(organizationId: string, deliveries: readonly NewDelivery[]): Promise<readonly WebhookDelivery[]>;
  /** Those that are due and not leased, oldest first; each is given to one caller, over all instances. */
  claim(input: ClaimInput): Promise<readonly ClaimedDelivery[]>;
  /** The same for one; null if it is not pending or is leased. */
  claimOne(organizationId: string, deliveryId: string, leaseMs: number): Promise<ClaimedDelivery | null>;
  /** Records how an attempt ended; false if another worker has taken the lease meanwhile. */
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
  /** A failed one is due again, with a new series of attempts; null where it is not failed. */
  retry(organizationId: string, deliveryId: string): Promise<WebhookDelivery | null>;
  /** Oldest first. */
  listAttempts(organizationId: string, deliveryId: string): Promise<readonly WebhookAttempt[]>;
  /** What is made for it waits until it is resumed; tests are sent. The id is a webhook's, or a project's for its first. */
  pause(organizationId: string, endpointId: string): Promise<void>;
  resume(organizationId: string, endpointId: string): Promise<void>;
  listPaused(organizationId: string): Promise<readonly string[]>;
  /** Of all organizations. */
  countPending(): Promise<number>;
  listBacklogs(organizationId: string, projectId: string): Promise<readonly WebhookBacklog[]>;
  /** Those are due again, with new series of attempts, oldest first; returns how many. */
  replay(organizationId: string, input: ReplayInput): Promise<number>;
  /** Deletes those made before and not pending, in steps; returns how many. */
  prune(beforeMs: number): Promise<number>;
  /** What bodies for a project are signed with: the present secret, then the one before while it is valid. */
  signingSecrets(projectId: string): Promise<readonly string[]>;
  getSecret(organizationId: string, projectId: string): Promise<SecretState | null>;
  /** The one before stays valid until then; null: not at all. */
  putSecret(projectId: string, secret: string, previousUntilMs: number | null): Promise<SecretState>;
  removeSecret(organizationId: string, projectId: string): Promise<boolean>;
  getAuditTarget(organizationId: string): Promise<string | null>;
  /** null: none any more. */
  setAuditTarget(organizationId: string, url: string | null): Promise<void>;
}
