import type { AlertFilter } from '@csg/shared/contract';
import { json, number, orNull, type RecordOf, table, text } from '../table.ts';

/** `ala_…`. A filter of events; an endpoint is notified when so many match it within so many minutes. */
export const eventAlertTable = table({
  id: text,
  organizationId: text,
  /** The endpoint that is notified. Removing it removes the alert. */
  endpointId: text,
  name: text,
  filter: json<AlertFilter>(),
  threshold: number,
  windowMinutes: number,
  createdAtMs: number,
  notifiedAtMs: orNull(number),
  /** When it is checked next. */
  dueAtMs: number,
});
export type EventAlert = RecordOf<typeof eventAlertTable>;

export interface EventAlerts {
  insert(
    organizationId: string,
    input: Pick<EventAlert, 'endpointId' | 'name' | 'filter' | 'threshold' | 'windowMinutes'>,
  ): Promise<EventAlert>;
  /** Ordered by name. */
  list(organizationId: string): Promise<readonly EventAlert[]>;
  remove(organizationId: string, alertId: string): Promise<boolean>;
  /** Alerts of all organizations that are to be checked, those that waited longest first. */
  listDue(limit: number): Promise<readonly EventAlert[]>;
  /** Plans the next check. Returns false if the alert was removed, or planned by another instance. */
  plan(alert: EventAlert, dueAtMs: number): Promise<boolean>;
  /** Records a notification, and plans the next check. */
  noteNotified(alertId: string, dueAtMs: number): Promise<void>;
}
