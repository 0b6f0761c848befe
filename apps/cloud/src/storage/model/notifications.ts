import type { ALERT_EVENT, NotificationEvent } from '@csg/shared/contract';
import { hidden, json, number, type RecordOf, table, text, word } from '../table.ts';

/** What an endpoint is told with its next message. */
export const notificationTable = table({
  id: text,
  organizationId: text,
  endpointId: text,
  event: word<NotificationEvent | typeof ALERT_EVENT>(),
  text,
  data: json<Readonly<Record<string, unknown>>>(),
  createdAtMs: number,
  dueAtMs: hidden(number),
});
export type Notification = RecordOf<typeof notificationTable>;

export interface Notifications {
  /** Returns true to one caller over all instances, which then sends the notification named by the key. */
  mark(organizationId: string, key: string): Promise<boolean>;
  listMarks(organizationId: string): Promise<readonly string[]>;
  /** Removes marks of conditions that have ended, so that they can be notified again. */
  removeMarks(organizationId: string, keys: readonly string[]): Promise<void>;

  enqueue(
    organizationId: string,
    added: readonly (Pick<Notification, 'endpointId' | 'event' | 'text' | 'data'> & {
      readonly dueAtMs: number;
    })[],
  ): Promise<void>;
  /** Removes what is due, and returns it to one caller over all instances, in the order in which it was queued. */
  takeDue(limit: number): Promise<readonly Notification[]>;

  /** Deletes marks created before that time, which are too old to be notified again. */
  prune(beforeMs: number): Promise<number>;
}
