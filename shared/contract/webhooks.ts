import Type, { type Static } from 'typebox';
import { choice, nullable, nullableText, shape, timestamp } from './fields.ts';

export const WEBHOOK_HEADERS = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  signature: 'X-Service-Signature',
  /** The same with the previous secret, while both are valid. */
  previousSignature: 'X-Service-Signature-Previous',
  /** `true` on test events. */
  test: 'X-Service-Test',
} as const;

export const webhookDeliverySchema = shape('WebhookDelivery', {
  id: Type.String({ description: 'Value of X-Service-Delivery, for all attempts.' }),
  project_id: nullableText,
  webhook_id: nullable(Type.String(), { description: "null: the project's first webhook." }),
  event: Type.String(),
  event_id: nullable(Type.String(), { description: 'The reported decision; null: none.' }),
  is_test: Type.Boolean(),
  status: Type.Enum(['pending', 'delivered', 'failed']),
  attempts: Type.Integer({ description: 'Attempts so far.' }),
  response_status: nullable(Type.Integer({ description: 'HTTP status of the last response.' })),
  last_error: nullable(Type.String(), { description: 'Why the last attempt failed.' }),
  next_attempt_at: nullable(timestamp, { description: 'null: no further attempt.' }),
  last_attempt_at: nullable(timestamp),
  created_at: timestamp,
});
export type WebhookDeliveryRecord = Static<typeof webhookDeliverySchema>;

export const webhookDeliveryDetailSchema = shape('WebhookDeliveryDetail', {
  ...webhookDeliverySchema.properties,
  payload: Type.Unknown({ description: 'The body as it is sent.' }),
  attempt_log: Type.Array(
    shape('WebhookAttempt', {
      number: Type.Integer({ minimum: 1 }),
      at: timestamp,
      response_status: nullable(Type.Integer(), { description: 'null: no response came.' }),
      error: nullable(Type.String(), { description: 'null: the delivery was accepted.' }),
      duration_ms: Type.Integer({ minimum: 0 }),
      response_excerpt: nullable(Type.String(), {
        description:
          'The first 1,024 characters of a text response, without secrets of the webhook; for admins.',
      }),
    }),
    { description: 'Oldest first; attempts made by versions that did not store them are missing.' },
  ),
});
export type WebhookDeliveryDetail = Static<typeof webhookDeliveryDetailSchema>;

export const webhookDeliveryListSchema = shape('WebhookDeliveryList', {
  deliveries: Type.Array(webhookDeliverySchema),
  next: nullable(Type.String({ description: 'Value of `before` for the next, older page.' })),
});

export const webhookSettingsSchema = shape('WebhookSettings', {
  project_id: Type.String(),
  webhook_url: nullable(Type.String(), { description: 'null: none. Members and viewers see only the host.' }),
  webhook_enabled: Type.Boolean(),
  signing: Type.Object({
    available: Type.Boolean({ description: 'True if the plan includes signing.' }),
    enabled: Type.Boolean(),
    created_at: nullable(timestamp),
    previous_valid_until: nullable(timestamp),
  }),
  secret: Type.Optional(
    Type.String({ description: 'Shown once, when the first address is saved on Enterprise.' }),
  ),
  warnings: Type.Array(Type.String(), { description: 'What to check, such as an address without TLS.' }),
});
export type WebhookSettings = Static<typeof webhookSettingsSchema>;

export const changeWebhookSchema = shape('ChangeWebhookRequest', {
  webhook_url: Type.Optional(Type.String({ maxLength: 2_048, description: 'Empty: none.' })),
  webhook_enabled: Type.Optional(Type.Boolean()),
});
export type ChangeWebhook = Static<typeof changeWebhookSchema>;

/** Events that an endpoint of a project can be sent. */
export const WEBHOOK_EVENTS = [
  'threat.blocked',
  'threat.detected',
  'pii.redacted',
  'usage.threshold',
  'usage.overage',
] as const;
const eventsSchema = nullable(
  Type.Array(choice('ProjectWebhookEvent', WEBHOOK_EVENTS), {
    minItems: 1,
    maxItems: WEBHOOK_EVENTS.length,
    uniqueItems: true,
  }),
  { description: 'Events that are sent to the webhook; null: all.' },
);

export const projectWebhookSchema = shape('ProjectWebhook', {
  id: Type.String(),
  project_id: Type.String(),
  webhook_url: nullable(Type.String(), { description: 'Members and viewers see only the host.' }),
  webhook_enabled: Type.Boolean(),
  events: eventsSchema,
  signed: Type.Boolean({ description: 'Whether bodies are signed.' }),
  paused: Type.Boolean({ description: 'True: events are stored, and sent after the webhook is resumed.' }),
  backlog: Type.Integer({ minimum: 0, description: 'Number of pending deliveries, at most 1,000.' }),
  oldest_waiting_at: nullable(timestamp),
  secret: Type.Optional(Type.String({ description: 'Shown once, on Enterprise.' })),
  warnings: Type.Optional(Type.Array(Type.String())),
});
export type ProjectWebhook = Static<typeof projectWebhookSchema>;

export const addWebhookSchema = shape(
  'AddWebhookRequest',
  {
    webhook_url: Type.String({ minLength: 1, maxLength: 2_048 }),
    webhook_enabled: Type.Optional(Type.Boolean({ default: true })),
    events: Type.Optional(eventsSchema),
  },
  { examples: [{ webhook_url: 'https://hooks.example.com/csg', events: ['threat.blocked'] }] },
);
export type AddWebhook = Static<typeof addWebhookSchema>;

export const changeProjectWebhookSchema = shape('ChangeProjectWebhookRequest', {
  webhook_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_048 })),
  webhook_enabled: Type.Optional(Type.Boolean()),
  events: Type.Optional(eventsSchema),
  paused: Type.Optional(
    Type.Boolean({ description: 'true: events are stored; false: stored events are sent, oldest first.' }),
  ),
});
export type ChangeProjectWebhook = Static<typeof changeProjectWebhookSchema>;

export const replayDeliveriesSchema = shape(
  'ReplayDeliveriesRequest',
  {
    from: timestamp,
    to: Type.Optional(timestamp),
    status: Type.Optional(
      Type.Enum(['failed', 'delivered', 'all'], {
        default: 'failed',
        description: 'Status of the deliveries to replay.',
      }),
    ),
  },
  { examples: [{ from: '2026-11-20T00:00:00Z', status: 'failed' }] },
);
export type ReplayDeliveries = Static<typeof replayDeliveriesSchema>;
export const replayedDeliveriesSchema = shape('ReplayedDeliveries', {
  replayed: Type.Integer({ minimum: 0 }),
  has_more: Type.Boolean({
    description: 'True: deliveries remain, because one request replays at most 10,000. Repeat the request.',
  }),
});
export type ReplayedDeliveries = Static<typeof replayedDeliveriesSchema>;

export const newWebhookSecretSchema = shape('WebhookSecret', {
  secret: Type.String({ description: 'Shown once.' }),
  previous_valid_until: nullable(timestamp),
});
