import type { Storage } from '../../storage/storage.ts';
import { notificationPayload } from '../../webhooks/outbound/notification-payload.ts';

export interface SendNotificationsDeps {
  readonly storage: Pick<Storage, 'transaction'>;
}

const MAX_AT_ONCE = 500;
const MAX_ONE_BY_ONE = 20;

/** Makes deliveries of what targets are due to be told: taken and queued in one transaction, so that nothing is lost. */
export async function sendNotifications({ storage }: SendNotificationsDeps): Promise<void> {
  await storage.transaction(async ({ notifications, endpoints, deliveries }) => {
    const due = await notifications.takeDue(MAX_AT_ONCE);
    for (const [endpointId, messages] of Map.groupBy(due, (message) => message.endpointId)) {
      const { organizationId } = messages[0]!;
      const target = await endpoints.get(organizationId, endpointId);
      if (target?.kind !== 'notification') continue;
      // Many simultaneous messages become one, even without a digest, because people do not read them one by one.
      const isDigest = target.digest !== null || messages.length > MAX_ONE_BY_ONE;
      const groups = isDigest ? [messages] : messages.map((message) => [message]);
      await deliveries.enqueue(
        organizationId,
        groups.map((group) => ({
          ...{ endpointId, projectId: null, eventId: null },
          event: group.length > 1 ? 'digest' : group[0]!.event,
          payload: notificationPayload(target, group),
        })),
      );
    }
  });
}
