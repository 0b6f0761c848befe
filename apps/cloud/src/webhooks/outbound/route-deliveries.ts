import type { DeliveryContent, NewDelivery, WebhookRoute } from '../../storage/storage.ts';

/** Returns one delivery for each endpoint that gets this event. */
export function routeDeliveries(
  deliveries: readonly DeliveryContent[],
  routes: readonly WebhookRoute[],
): readonly NewDelivery[] {
  return deliveries.flatMap((delivery) =>
    routes
      .filter(({ events }) => events === null || events.includes(delivery.event))
      .map(({ id }) => ({ ...delivery, endpointId: id })),
  );
}
