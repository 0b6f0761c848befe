import Type, { type Static } from 'typebox';
import { nullable, nullableText, shape, timestamp } from './fields.ts';
import { planEnum } from './plans.ts';
import { confidenceSchema, decisionSchema, directionEnum, piiTypeEnum, threatTypeSchema } from './verdict.ts';

/** What receivers are told, and `audit.checkpoint` for an organization's audit target. */
export const WEBHOOK_EVENTS = [
  'threat.blocked',
  'threat.detected',
  'pii.redacted',
  'usage.threshold',
  'usage.overage',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
export const AUDIT_CHECKPOINT_EVENT = 'audit.checkpoint';
export type WebhookEventName = WebhookEvent | typeof AUDIT_CHECKPOINT_EVENT;

export const WEBHOOK_HEADERS = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  signature: 'X-Service-Signature',
  /** The same by the secret before, while both are valid. */
  previousSignature: 'X-Service-Signature-Previous',
} as const;

export const threatDataSchema = shape('ThreatData', {
  event_id: Type.String(),
  decision: decisionSchema,
  threat_type: threatTypeSchema,
  confidence: confidenceSchema,
  reason: Type.String(),
  request_metadata: Type.Optional(
    Type.Object({ model: Type.Optional(Type.String()), ip_address: Type.Optional(Type.String()) }),
  ),
});
export type ThreatData = Static<typeof threatDataSchema>;

export const piiDataSchema = shape('PiiData', {
  event_id: Type.String(),
  pii_types: Type.Array(piiTypeEnum),
  redaction_count: Type.Integer(),
  direction: directionEnum,
});
export type PiiData = Static<typeof piiDataSchema>;

export const usageDataSchema = shape('UsageData', {
  current_usage: Type.Integer(),
  monthly_limit: Type.Integer(),
  percentage: Type.Number(),
  plan: planEnum,
});
export type UsageData = Static<typeof usageDataSchema>;

export const overageDataSchema = shape('OverageData', {
  ...usageDataSchema.properties,
  overage: Type.Integer(),
  amount_usd: Type.Number(),
});
export type OverageData = Static<typeof overageDataSchema>;

/** The body that receivers get. */
export interface WebhookPayload {
  readonly event: WebhookEventName;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly project_id: string;
  readonly data: ThreatData | PiiData | UsageData | OverageData;
}

export const webhookDeliverySchema = shape('WebhookDelivery', {
  id: Type.String({ description: 'X-Service-Delivery: the same over all attempts.' }),
  project_id: nullableText,
  event: Type.String(),
  event_id: nullableText,
  is_test: Type.Boolean(),
  status: Type.Enum(['pending', 'delivered', 'failed']),
  attempts: Type.Integer(),
  response_status: nullable(Type.Integer({ description: 'HTTP status of the last answer.' })),
  last_error: nullableText,
  next_attempt_at: nullable(timestamp),
  last_attempt_at: nullable(timestamp),
  created_at: timestamp,
});
export type WebhookDeliveryRecord = Static<typeof webhookDeliverySchema>;

export const webhookDeliveryDetailSchema = shape('WebhookDeliveryDetail', {
  ...webhookDeliverySchema.properties,
  payload: Type.Unknown({ description: 'The body as it is sent.' }),
});

export const webhookDeliveryListSchema = shape('WebhookDeliveryList', {
  deliveries: Type.Array(webhookDeliverySchema),
  next: nullable(Type.String({ description: 'For `before`: the next, older page.' })),
});

export const webhookSettingsSchema = shape('WebhookSettings', {
  project_id: Type.String(),
  webhook_url: nullableText,
  webhook_enabled: Type.Boolean(),
  signing: Type.Object({
    available: Type.Boolean({ description: 'Whether the plan has it.' }),
    enabled: Type.Boolean(),
    created_at: nullable(timestamp),
    previous_valid_until: nullable(timestamp),
  }),
  secret: Type.Optional(
    Type.String({ description: 'Shown once: with the first address that is saved on Enterprise.' }),
  ),
  warnings: Type.Array(Type.String()),
});
export type WebhookSettings = Static<typeof webhookSettingsSchema>;

export const changeWebhookSchema = shape('ChangeWebhookRequest', {
  webhook_url: Type.Optional(Type.String({ maxLength: 2_048, description: 'Empty: none.' })),
  webhook_enabled: Type.Optional(Type.Boolean()),
});
export type ChangeWebhook = Static<typeof changeWebhookSchema>;

export const newWebhookSecretSchema = shape('WebhookSecret', {
  secret: Type.String({ description: 'Shown once.' }),
  previous_valid_until: nullable(timestamp),
});
