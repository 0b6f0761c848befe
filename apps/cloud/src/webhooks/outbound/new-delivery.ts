import type { WebhookEventName, WebhookPayload } from '@csg/shared/contract';
import type { NewDelivery } from '../../storage/storage.ts';

/** What endpoints of projects are sent; the rest goes to organizations. */
type ProjectEventName = Exclude<WebhookEventName, 'audit.checkpoint'>;

/** An event for a project's endpoint, with the bytes of its body. `eventId` null: it reports no decision. */
export function newDelivery<Event extends ProjectEventName>({
  event,
  eventId,
  atMs,
  projectId,
  data,
}: {
  readonly event: Event;
  readonly eventId: string | null;
  readonly atMs: number;
  readonly projectId: string;
  readonly data: WebhookPayload<Event>['data'];
}): NewDelivery {
  const payload = { event, timestamp: new Date(atMs).toISOString(), project_id: projectId, data };
  return { projectId, event, eventId, payload: JSON.stringify(payload) };
}
