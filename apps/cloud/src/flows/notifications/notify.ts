import type { NotificationEvent } from '@csg/shared/contract';
import type { Repositories } from '../../storage/storage.ts';
import { dueAt } from './due-at.ts';

/** Something that people of an organization want to be told, in words. */
export interface Signal {
  readonly event: NotificationEvent;
  /** Names what it is about: told of once. */
  readonly key: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Puts it in the queue of every target that subscribes to it, unless it is queued already. */
export async function notify(
  { notifications }: Pick<Repositories, 'notifications'>,
  organizationId: string,
  { event, key, text, data }: Signal,
  nowMs: number,
): Promise<void> {
  const targets = await notifications.listTargets(organizationId);
  if (targets.length === 0 || !(await notifications.mark(organizationId, key))) return;
  await notifications.enqueue(
    targets
      .filter(({ events }) => events === null || events.includes(event))
      .map((target) => ({ targetId: target.id, event, text, data, dueAtMs: dueAt(target, nowMs) })),
  );
}
