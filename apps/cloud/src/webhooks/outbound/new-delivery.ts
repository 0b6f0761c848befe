import type { WebhookEventName, WebhookPayload } from '@csg/shared/contract';
import type { DeliveryContent } from '../../storage/storage.ts';

/** Events for endpoints of projects; the others go to organizations. */
type ProjectEventName = Exclude<WebhookEventName, 'audit.checkpoint'>;

/** Returns an event for endpoints of a project, with the bytes of its body. `eventId` null: it reports no decision. */
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
}): DeliveryContent {
  const payload = { event, timestamp: new Date(atMs).toISOString(), project_id: projectId, data };
  return { projectId, event, eventId, payload: JSON.stringify(payload) };
}
