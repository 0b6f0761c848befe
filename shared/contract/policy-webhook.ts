import Type, { type Static } from 'typebox';
import { nullableText, shape } from './fields.ts';
import { FAIL_MODES } from './projects.ts';

export const POLICY_WEBHOOK_TIMEOUT_MS = 3_000;

export const policyWebhookSchema = shape('PolicyWebhook', {
  url: nullableText,
  enabled: Type.Boolean(),
  fail_mode: Type.Enum([...FAIL_MODES], {
    description: 'What happens when the endpoint gives no answer: open allows, closed blocks.',
  }),
  timeout_ms: Type.Integer({ minimum: 100, maximum: 10_000 }),
  warnings: Type.Array(Type.String()),
});
export type PolicyWebhookRecord = Static<typeof policyWebhookSchema>;

export const changePolicyWebhookSchema = shape(
  'ChangePolicyWebhookRequest',
  {
    url: Type.Optional(Type.String({ maxLength: 2048, description: 'Empty: there is none any more.' })),
    enabled: Type.Optional(Type.Boolean()),
    fail_mode: Type.Optional(policyWebhookSchema.properties.fail_mode),
    timeout_ms: Type.Optional(policyWebhookSchema.properties.timeout_ms),
  },
  { examples: [{ url: 'https://policy.example.com/verdict', enabled: true, fail_mode: 'open' }] },
);
export type ChangePolicyWebhook = Static<typeof changePolicyWebhookSchema>;
