import type { NewDelivery, Project, WebhookRoute } from '../../storage/storage.ts';

/** The endpoints of a project that are on. */
export function routesOf(project: Project): readonly WebhookRoute[] {
  const { webhookEnabled, webhookUrl, webhookEvents, furtherWebhooks } = project;
  return webhookEnabled && webhookUrl !== null
    ? [{ id: null, events: webhookEvents }, ...furtherWebhooks]
    : furtherWebhooks;
}

/** One delivery for each endpoint that is sent this event. */
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
