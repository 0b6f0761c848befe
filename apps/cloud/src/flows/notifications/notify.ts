import type { NotificationEvent } from '@csg/shared/contract';
import type { Repositories } from '../../storage/storage.ts';
import { dueAt } from './due-at.ts';

/** Something to notify people of an organization about, as text. */
export interface Signal {
  readonly event: NotificationEvent;
  /** Identifies the subject, so that it is reported once. */
  readonly key: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Queues a signal for every target that subscribes to it, unless it is already queued. */
export async function notify(
  { notifications, endpoints }: Pick<Repositories, 'notifications' | 'endpoints'>,
  organizationId: string,
  { event, key, text, data }: Signal,
  nowMs: number,
): Promise<void> {
  const targets = await endpoints.list(organizationId, { kind: 'notification' });
  if (targets.length === 0 || !(await notifications.mark(organizationId, key))) return;
  await notifications.enqueue(
    organizationId,
    targets
      .filter(({ isEnabled, events }) => isEnabled && (events === null || events.includes(event)))
      .map((target) => ({ endpointId: target.id, event, text, data, dueAtMs: dueAt(target, nowMs) })),
  );
}
