import type { WebhookPayload } from '@csg/shared/contract';
import type { NewDelivery } from '../../storage/storage.ts';

/** An event for a project's receiver, with the bytes of its body. `eventId` null: it reports no decision. */
export function newDelivery({
  event,
  eventId,
  atMs,
  projectId,
  data,
}: {
  readonly event: WebhookPayload['event'];
  readonly eventId: string | null;
  readonly atMs: number;
  readonly projectId: string;
  readonly data: WebhookPayload['data'];
}): NewDelivery {
  const payload: WebhookPayload = {
    event,
    timestamp: new Date(atMs).toISOString(),
    project_id: projectId,
    data,
  };
  return { projectId, event, eventId, payload: JSON.stringify(payload) };
}
