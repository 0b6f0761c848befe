import type { NotificationEvent, NotificationKind, QuietHours } from '@csg/shared/contract';
import { bytes, hidden, json, jsonOr, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** `ntf_…`. Where people of an organization are told what needs them. */
export const notificationTargetTable = table({
  id: text,
  organizationId: text,
  kind: word<NotificationKind>(),
  /** null: everything. */
  events: jsonOr<readonly NotificationEvent[] | null>(null),
  digest: orNull(word<'hourly' | 'daily'>()),
  quietHours: jsonOr<QuietHours | null>(null),
  lastError: orNull(text),
  lastSentAtMs: orNull(number),
  createdAtMs: number,
  /** Sealed, in base64: such addresses hold tokens. */
  address: hidden(text),
  sealedSecret: hidden(orNull(bytes)),
});
export type NotificationTarget = RecordOf<typeof notificationTargetTable> & {
  readonly address: string;
  readonly secret: string | null;
};

/** Something that a target is to be told. */
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

/** An endpoint that fails since its last success. */
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
  /** Organizations that have a target. */
  listOrganizations(): Promise<readonly string[]>;
  /** Notes how the last message to a target ended. */
  noteResult(targetId: string, error: string | null): Promise<void>;

  /** True for one caller over all instances: what the key names is theirs to tell. */
  mark(organizationId: string, key: string): Promise<boolean>;
  listMarks(organizationId: string): Promise<readonly string[]>;
  /** What is over may be told of again. */
  removeMarks(organizationId: string, keys: readonly string[]): Promise<void>;

  enqueue(
    added: readonly (Pick<Notification, 'targetId' | 'event' | 'text' | 'data'> & {
      readonly dueAtMs: number;
    })[],
  ): Promise<void>;
  /** Those that are due, oldest first; they come again after the lease unless they are settled. */
  claim(limit: number, leaseMs: number): Promise<readonly Notification[]>;
  /** Sent, or given up. */
  remove(ids: readonly string[]): Promise<void>;
  postpone(ids: readonly string[], dueAtMs: number): Promise<void>;

  /** Webhooks whose attempts since their last success, within the span, failed. */
  listFailingEndpoints(organizationId: string, sinceMs: number): Promise<readonly FailingEndpoint[]>;
  /** Marks made before; what they name is too old to be told of. */
  prune(beforeMs: number): Promise<number>;
}
