import Type, { type Static, type TObject } from 'typebox';
import { shape, timestamp } from './fields.ts';
import { planEnum } from './plans.ts';
import {
  confidenceSchema,
  decisionSchema,
  directionEnum,
  policyPiiTypeEnum,
  threatTypeSchema,
} from './verdict.ts';

const eventId = Type.String({ description: 'Identifies the decision; the same for every delivery of it.' });

const threatDataSchema = shape('ThreatData', {
  event_id: eventId,
  decision: decisionSchema,
  threat_type: threatTypeSchema,
  confidence: confidenceSchema,
  reason: Type.String({ description: 'One sentence; never contains the matched text.' }),
  request_metadata: Type.Optional(
    Type.Object({ model: Type.Optional(Type.String()), ip_address: Type.Optional(Type.String()) }),
  ),
});

const piiDataSchema = shape('PiiData', {
  event_id: eventId,
  pii_types: Type.Array(policyPiiTypeEnum, { description: 'Types of the replaced data.' }),
  redaction_count: Type.Integer({ description: 'Replacements made.' }),
  direction: directionEnum,
});

const usageDataSchema = shape('UsageData', {
  current_usage: Type.Integer({ description: 'Requests of the account this month.' }),
  monthly_limit: Type.Integer(),
  percentage: Type.Number(),
  plan: planEnum,
});

const overageDataSchema = shape('OverageData', {
  ...usageDataSchema.properties,
  overage: Type.Integer({ description: 'Requests above the limit.' }),
  amount_usd: Type.Number(),
});
export type OverageData = Static<typeof overageDataSchema>;

const checkpointDataSchema = shape('AuditCheckpointData', {
  type: Type.Literal('checkpoint'),
  format: Type.String(),
  algorithm: Type.Literal('Ed25519'),
  organization_id: Type.String(),
  number: Type.Integer({ description: 'Sequence number of this checkpoint, without gaps.' }),
  seq: Type.Integer({ description: 'Highest audit log row that the checkpoint covers.' }),
  hash: Type.String({ description: 'Hash of that row.' }),
  at_ms: Type.Integer(),
  file_id: Type.String(),
  key_id: Type.String(),
  signature: Type.String({ description: 'Ed25519, base64.' }),
});

/** Creates the schema of an event that is sent to the endpoint of a project. */
function projectEvent<const Event extends string, Data extends TObject>(
  name: string,
  event: Event,
  data: Data,
  description: string,
) {
  const project_id = Type.String();
  return shape(name, { event: Type.Literal(event), timestamp, project_id, data }, { description });
}

/**
 * The bodies of all events sent to endpoints. The OpenAPI document, the typed client and the functions that send events
 * follow from this table.
 */
export const webhookPayloadSchemas = {
  'threat.blocked': projectEvent(
    'ThreatBlockedEvent',
    'threat.blocked',
    threatDataSchema,
    'A request or a response was blocked.',
  ),
  'threat.detected': projectEvent(
    'ThreatDetectedEvent',
    'threat.detected',
    threatDataSchema,
    'A threat was detected and neither blocked nor redacted.',
  ),
  'pii.redacted': projectEvent(
    'PiiRedactedEvent',
    'pii.redacted',
    piiDataSchema,
    'Personal data or secrets were redacted.',
  ),
  'usage.threshold': projectEvent(
    'UsageThresholdEvent',
    'usage.threshold',
    usageDataSchema,
    'The account has used 80% or 100% of the quota of this month.',
  ),
  'usage.overage': projectEvent(
    'UsageOverageEvent',
    'usage.overage',
    overageDataSchema,
    'The account has used more than its quota of this month.',
  ),
  'audit.checkpoint': shape(
    'AuditCheckpointEvent',
    {
      event: Type.Literal('audit.checkpoint'),
      timestamp,
      organization_id: Type.String(),
      data: checkpointDataSchema,
    },
    { description: 'A signed checkpoint of the audit log, sent to the audit target of an organization.' },
  ),
};

export type WebhookEventName = keyof typeof webhookPayloadSchemas;
export type WebhookPayload<Event extends WebhookEventName = WebhookEventName> = Static<
  (typeof webhookPayloadSchemas)[Event]
>;

/** Any of them, distinguished by `event`. */
export const webhookEventSchema = Type.Union(Object.values(webhookPayloadSchemas), {
  $id: 'WebhookEvent',
  description: 'Any event; `event` names its type.',
});
