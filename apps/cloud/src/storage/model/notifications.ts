import type { NotificationEvent, NotificationKind, QuietHours } from '@csg/shared/contract';
import { bytes, hidden, json, jsonOr, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** `ntf_…`. A destination for an organization's notifications. */
export const notificationTargetTable = table({
  id: text,
  organizationId: text,
  kind: word<NotificationKind>(),
  /** null: all events. */
  events: jsonOr<readonly NotificationEvent[] | null>(null),
  digest: orNull(word<'hourly' | 'daily'>()),
  quietHours: jsonOr<QuietHours | null>(null),
  lastError: orNull(text),
  lastSentAtMs: orNull(number),
  createdAtMs: number,
  /** Sealed, in base64, because such addresses contain tokens. */
  address: hidden(text),
  sealedSecret: hidden(orNull(bytes)),
});
export type NotificationTarget = RecordOf<typeof notificationTargetTable> & {
  readonly address: string;
  readonly secret: string | null;
};

/** A notification queued for a target. */
export const notificationTable = table({
  id: text,
  targetId: text,
  event: word<NotificationEvent>(),
  text,
  data: json<Readonly<Record<string, unknown>>>(),
  attempts: number,
  createdAtMs: number,
  dueAtMs: hidden(number),
});
export type Notification = RecordOf<typeof notificationTable>;

/** An endpoint without a successful attempt since `sinceMs`. */
export interface FailingEndpoint {
  readonly projectId: string | null;
  readonly webhookId: string | null;
  readonly failedAttempts: number;
  readonly sinceMs: number;
}

export interface Notifications {
  insertTarget(
    organizationId: string,
    input: Pick<NotificationTarget, 'kind' | 'address' | 'events' | 'digest' | 'quietHours' | 'secret'>,
  ): Promise<NotificationTarget>;
  /** Oldest first. */
  listTargets(organizationId: string): Promise<readonly NotificationTarget[]>;
  getTarget(targetId: string): Promise<NotificationTarget | null>;
  removeTarget(organizationId: string, targetId: string): Promise<boolean>;
  /** Organizations that have at least one target. */
  listOrganizations(): Promise<readonly string[]>;
  /** Records the result of the last message to a target. */
  noteResult(targetId: string, error: string | null): Promise<void>;

  /** Returns true to one caller over all instances, which then sends the notification named by the key. */
  mark(organizationId: string, key: string): Promise<boolean>;
  listMarks(organizationId: string): Promise<readonly string[]>;
  /** Removes marks of conditions that have ended, so that they can be notified again. */
  removeMarks(organizationId: string, keys: readonly string[]): Promise<void>;

  enqueue(
    added: readonly (Pick<Notification, 'targetId' | 'event' | 'text' | 'data'> & {
      readonly dueAtMs: number;
    })[],
  ): Promise<void>;
  /** Leases due notifications, oldest first; they become due again after the lease unless removed or postponed. */
  claim(limit: number, leaseMs: number): Promise<readonly Notification[]>;
  /** Removes notifications that were sent or given up. */
  remove(ids: readonly string[]): Promise<void>;
  postpone(ids: readonly string[], dueAtMs: number): Promise<void>;

  /** Webhooks with failed attempts since their last success, within the span. */
  listFailingEndpoints(organizationId: string, sinceMs: number): Promise<readonly FailingEndpoint[]>;
  /** Deletes marks created before that time, which are too old to be notified again. */
  prune(beforeMs: number): Promise<number>;
}
