import Type, { type Static } from 'typebox';
import { nullableText, shape } from './fields.ts';
import { FAIL_MODES } from './project-choices.ts';
import { confidenceSchema, directionEnum, threatEnum } from './verdict.ts';

/** The request to the policy endpoint of a project. */
export const policyVerdictRequestSchema = shape('PolicyVerdictRequest', {
  content: Type.String({
    description: 'The texts of people, the model and data, separated by an empty line; may be empty.',
  }),
  direction: directionEnum,
  model: Type.String({ description: 'Empty if the request names no model.' }),
  event_id: Type.String(),
  threats_detected: Type.Array(Type.Object({ type: threatEnum, confidence: confidenceSchema }), {
    description: 'What the engine found.',
  }),
});
export type PolicyVerdictRequest = Static<typeof policyVerdictRequestSchema>;

/** Its response. The stricter of its verdict and the engine's applies. */
export const policyVerdictSchema = shape('PolicyVerdict', {
  verdict: Type.Enum(['allow', 'block', 'redact']),
  reason: Type.Optional(Type.String({ description: 'At most 500 characters are read.' })),
  redacted_content: Type.Optional(Type.String({ description: 'Required for `redact`.' })),
});
export const POLICY_VERDICT_EVENT = 'policy.verdict';

export const POLICY_WEBHOOK_TIMEOUT_MS = 3_000;

export const policyWebhookSchema = shape('PolicyWebhook', {
  url: nullableText,
  enabled: Type.Boolean(),
  fail_mode: Type.Enum([...FAIL_MODES], {
    description: 'What happens if the endpoint does not respond: open allows, closed blocks.',
  }),
  timeout_ms: Type.Integer({ minimum: 100, maximum: 10_000 }),
  warnings: Type.Array(Type.String(), { description: 'What to check, such as an address without TLS.' }),
});
export type PolicyWebhookRecord = Static<typeof policyWebhookSchema>;

export const changePolicyWebhookSchema = shape(
  'ChangePolicyWebhookRequest',
  {
    url: Type.Optional(Type.String({ maxLength: 2048, description: 'Empty: removes the webhook.' })),
    enabled: Type.Optional(Type.Boolean()),
    fail_mode: Type.Optional(policyWebhookSchema.properties.fail_mode),
    timeout_ms: Type.Optional(policyWebhookSchema.properties.timeout_ms),
  },
  { examples: [{ url: 'https://policy.example.com/verdict', enabled: true, fail_mode: 'open' }] },
);
export type ChangePolicyWebhook = Static<typeof changePolicyWebhookSchema>;
