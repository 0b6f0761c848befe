import Type, { type Static } from 'typebox';
import { nullable, nullableText, shape, timestamp } from './fields.ts';
import {
  NOTIFICATION_EVENTS,
  NOTIFICATION_KINDS,
  notificationRulesSchema,
  quietHoursSchema,
} from './notifications.ts';
import { changePolicyWebhookSchema } from './policy-webhook.ts';
import { FAIL_MODES } from './project-choices.ts';
import { WEBHOOK_EVENTS, webhookDeliverySchema } from './webhooks.ts';

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

/** What only some kinds have; an option that does not apply to a kind is refused. */
const options = {
  /** Which ones there are depends on the kind. */
  events: Type.Optional(
    nullable(
      Type.Array(Type.Enum([...WEBHOOK_EVENTS, ...NOTIFICATION_EVENTS]), { minItems: 1, uniqueItems: true }),
      {
        description: 'Events that it is sent; null: all. Of webhooks and notification targets.',
      },
    ),
  ),
  digest: notificationRulesSchema.properties.digest,
  quiet_hours: notificationRulesSchema.properties.quiet_hours,
  fail_mode: changePolicyWebhookSchema.properties.fail_mode,
  timeout_ms: changePolicyWebhookSchema.properties.timeout_ms,
};
const address = Type.String({ minLength: 1, maxLength: 2_048 });
const enabled = Type.Optional(Type.Boolean());

export const newEndpointSchema = shape(
  'NewEndpoint',
  {
    ...{ kind, address, enabled, ...options },
    project_id: Type.Optional(Type.String({ description: 'Of webhooks and policy endpoints.' })),
    form: Type.Optional(Type.Enum([...NOTIFICATION_KINDS], { description: 'Of notification targets.' })),
  },
  {
    examples: [{ kind: 'notification', form: 'slack', address: 'https://hooks.slack.com/services/T0/B0/x' }],
  },
);
export type NewEndpoint = Static<typeof newEndpointSchema>;

export const changeEndpointSchema = shape('ChangeEndpointRequest', {
  ...{ address: Type.Optional(address), enabled, paused: Type.Optional(Type.Boolean()), ...options },
});
export type ChangeEndpoint = Static<typeof changeEndpointSchema>;

/** More pending deliveries of an endpoint are not counted. */
export const MAX_BACKLOG = 1_000;

export const endpointSchema = shape('Endpoint', {
  id: Type.String(),
  kind,
  name: Type.String({ description: 'What its kind is called.' }),
  project_id: nullable(Type.String(), { description: 'null: of the organization.' }),
  address: Type.String({ description: 'Members and viewers see only the host.' }),
  form: nullable(Type.Enum([...NOTIFICATION_KINDS]), { description: 'Of a notification target.' }),
  events: nullable(Type.Array(Type.String()), { description: 'null: all.' }),
  digest: nullableText,
  quiet_hours: nullable(quietHoursSchema),
  fail_mode: nullable(Type.Enum([...FAIL_MODES]), { description: 'Of a policy endpoint.' }),
  timeout_ms: nullable(Type.Integer()),
  enabled: Type.Boolean(),
  paused: Type.Boolean({
    description: 'True: what is queued waits; a policy endpoint takes no part in decisions.',
  }),
  signed: Type.Boolean(),
  own_secret: Type.Boolean({
    description: 'True if it can have a signing secret of its own: on Enterprise.',
  }),
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
  backlog: Type.Integer({ minimum: 0, description: 'Number of pending deliveries, at most 1,000.' }),
  oldest_waiting_at: nullable(timestamp),
  created_at: timestamp,
});
export type EndpointRecord = Static<typeof endpointSchema>;

export const savedEndpointSchema = shape('SavedEndpoint', {
  ...endpointSchema.properties,
  secret: Type.Optional(Type.String({ description: 'The signing secret, if it was created; shown once.' })),
  warnings: Type.Array(Type.String(), { description: 'What to check, such as an address without TLS.' }),
});
export type SavedEndpoint = Static<typeof savedEndpointSchema>;

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
