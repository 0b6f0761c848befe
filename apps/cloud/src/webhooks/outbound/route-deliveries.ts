import type { NewDelivery, Project, WebhookRoute } from '../../storage/storage.ts';

/** Returns the enabled endpoints of a project. */
export function routesOf(project: Project): readonly WebhookRoute[] {
  const { webhookEnabled, webhookUrl, webhookEvents, furtherWebhooks } = project;
  return webhookEnabled && webhookUrl !== null
    ? [{ id: null, events: webhookEvents }, ...furtherWebhooks]
    : furtherWebhooks;
}

/** Returns one delivery for each endpoint that gets this event. */
export function routeDeliveries(
  deliveries: readonly NewDelivery[],
  routes: readonly WebhookRoute[],
): readonly NewDelivery[] {
  return deliveries.flatMap((delivery) =>
    routes
      .filter(({ events }) => events === null || events.includes(delivery.event))
      .map(({ id }) => ({ ...delivery, webhookId: id })),
  );
}
