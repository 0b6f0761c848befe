import {
  POLICY_VERDICT_EVENT,
  policyVerdictRequestSchema,
  policyVerdictSchema,
  WEBHOOK_HEADERS,
  webhookPayloadSchemas,
} from '@csg/shared/contract';
import Type, { type TSchema } from 'typebox';

/** Describes the webhooks that this service sends, by event, for the `webhooks` section of the document. */
export function describeWebhooks(): Record<string, unknown> {
  const events = Object.entries(webhookPayloadSchemas).map(([event, schema]) => [
    event,
    { post: sent(schema) },
  ]);
  return { ...Object.fromEntries(events), [POLICY_VERDICT_EVENT]: { post: policyVerdict } };
}

const text = Type.String();
const signatures = [
  header(
    WEBHOOK_HEADERS.signature,
    'If the project has a secret: `sha256=` and the HMAC-SHA-256 of the body.',
  ),
  header(
    WEBHOOK_HEADERS.previousSignature,
    'The signature with the previous secret, while both secrets are valid.',
  ),
];
const deliveryHeaders = [
  header(WEBHOOK_HEADERS.event, 'Name of the event.'),
  header(WEBHOOK_HEADERS.delivery, 'Id of the delivery, the same for all attempts.'),
  ...signatures,
  header(WEBHOOK_HEADERS.test, '`true` on test events.'),
];

function sent(schema: TSchema) {
  const { $id: name, description: summary } = schema as TSchema & Readonly<Record<string, unknown>>;
  return {
    operationId: `send${name}`,
    summary,
    description:
      'Respond with a 2xx within 5 seconds; otherwise the event is sent again, up to four attempts in total.',
    security: [],
    parameters: deliveryHeaders,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Received.' } },
  };
}

const policyVerdict = {
  operationId: 'requestPolicyVerdict',
  summary: 'Request the verdict of a project’s policy endpoint',
  description:
    'Sent in every scan of a project with a policy endpoint. Respond in time, or the fail mode applies.',
  security: [],
  parameters: [header(WEBHOOK_HEADERS.event, `\`${POLICY_VERDICT_EVENT}\``), ...signatures],
  requestBody: { required: true, content: { 'application/json': { schema: policyVerdictRequestSchema } } },
  responses: {
    '2XX': { description: 'The verdict.', content: { 'application/json': { schema: policyVerdictSchema } } },
  },
};

function header(name: string, description: string) {
  return { in: 'header', name, description, required: name === WEBHOOK_HEADERS.event, schema: text };
}
