import Type, { type Static } from 'typebox';
import { nullable, nullableText, shape, timestamp } from './fields.ts';
import { NOTIFICATION_KINDS } from './notifications.ts';
import { webhookDeliverySchema } from './webhooks.ts';

/** What an address of a customer is called for, and how the ids of such endpoints begin. */
const PREFIXES = { webhook: 'whk', policy: 'pep', notification: 'ntf', audit: 'aud' } as const;

export type EndpointKind = keyof typeof PREFIXES;
export type EndpointPrefix = (typeof PREFIXES)[EndpointKind];
export const ENDPOINT_KINDS = Object.keys(PREFIXES) as EndpointKind[];
export const endpointPrefix = (kind: EndpointKind): EndpointPrefix => PREFIXES[kind];

/** Returns the id of the one endpoint of its kind that a project or organization has; of webhooks, of the first. */
export const ownEndpointId = (kind: EndpointKind, ownerId: string): string =>
  `${PREFIXES[kind]}_${ownerId.slice(ownerId.indexOf('_') + 1)}`;

const kind = Type.Enum([...ENDPOINT_KINDS]);
const count = Type.Integer({ minimum: 0 });

export const endpointSchema = shape('Endpoint', {
  id: Type.String(),
  kind,
  name: Type.String({ description: 'What its kind is called.' }),
  project_id: nullable(Type.String(), { description: 'null: of the organization.' }),
  address: Type.String({ description: 'Members and viewers see only the host.' }),
  form: nullable(Type.Enum([...NOTIFICATION_KINDS]), { description: 'Of a notification target.' }),
  events: nullable(Type.Array(Type.String()), { description: 'null: all.' }),
  enabled: Type.Boolean(),
  paused: Type.Boolean({
    description: 'True: what is queued waits; a policy endpoint takes no part in decisions.',
  }),
  signed: Type.Boolean(),
  synchronous: Type.Boolean({
    description: 'True: a decision waits for each call, which is recorded only if it fails.',
  }),
  retries: Type.Integer({ minimum: 0, description: 'Retries after the first attempt.' }),
  succeeded: Type.Integer({ minimum: 0, description: 'Calls so far, without tests.' }),
  failed: count,
  failures: Type.Integer({ minimum: 0, description: 'Failed calls since the last success.' }),
  failing_since: nullable(timestamp),
  last_error: nullableText,
  last_success_at: nullable(timestamp),
  last_failure_at: nullable(timestamp),
  backlog: Type.Integer({ minimum: 0, description: 'Number of pending deliveries.' }),
  oldest_waiting_at: nullable(timestamp),
  created_at: timestamp,
});
export type EndpointRecord = Static<typeof endpointSchema>;

const { webhook_id: _webhookId, ...delivery } = webhookDeliverySchema.properties;
export const endpointDeliverySchema = shape('EndpointDelivery', {
  ...delivery,
  endpoint_id: Type.String(),
  kind,
});
export type EndpointDelivery = Static<typeof endpointDeliverySchema>;

export const endpointDeliveryListSchema = shape('EndpointDeliveryList', {
  deliveries: Type.Array(endpointDeliverySchema),
  next: nullable(Type.String({ description: 'Value of `before` for the next, older page.' })),
});
export type EndpointDeliveryList = Static<typeof endpointDeliveryListSchema>;

export const pauseEndpointSchema = shape('PauseEndpointRequest', { paused: Type.Boolean() });
