import Type, { type Static } from 'typebox';
import { toolListsSchema } from './agent.ts';
import { nullable, nullableText, shape, timestampOf } from './fields.ts';
import { policyActionEnum } from './policies.ts';
import { strictnessEnum, useCaseEnum } from './project-choices.ts';
import { settingValues } from './project-settings.ts';
import { threatEnum } from './verdict.ts';

/**
 * The first line of the signed bytes. After it comes the canonical JSON (shared/text canonicalJson) of the bundle
 * without `signature`, in UTF-8. Ed25519; the signature is base64.
 */
export const DEVICE_CONFIG_FORMAT = 'csg-device-config-v1';

export const DEVICE_MODES = ['enforce', 'monitor'] as const;
export type DeviceMode = (typeof DEVICE_MODES)[number];

export const toolCallRulesSchema = shape('DeviceToolCallRules', {
  lists: nullable(toolListsSchema, { description: "The project's own lists; null: it has none." }),
  flow_control: settingValues.flow_control,
  effect_tools: settingValues.effect_tools,
  record_tools: settingValues.record_tools,
});
export type ToolCallRules = Static<typeof toolCallRulesSchema>;

const rulesetSchema = shape(
  'DeviceRuleset',
  {
    useCase: useCaseEnum,
    strictness: strictnessEnum,
    policies: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          action: policyActionEnum,
          threatTypes: Type.Array(threatEnum),
        },
        { additionalProperties: true },
      ),
      { description: 'In order, highest priority first.' },
    ),
    untrustedData: Type.Optional(settingValues.untrusted_data),
    toolCalls: Type.Optional(toolCallRulesSchema),
  },
  {
    additionalProperties: true,
    description: 'Ruleset that the engine compiles, so that the device decides as the cloud does.',
  },
);

/** An active exception for this device, as far as the offline engine needs it. */
export const bundledExceptionSchema = shape('DeviceException', {
  id: Type.String(),
  destination_host: Type.String({ description: 'Host that the exception is for.' }),
  threat_types: Type.Array(threatEnum, {
    description: 'Threat types that the exception covers, derived from its policy and threat.',
  }),
  expires_at: timestampOf('When the exception ends.'),
});

export const deviceConfigSchema = shape('DeviceConfig', {
  device_id: Type.String(),
  mode: Type.Enum([...DEVICE_MODES], { description: 'enforce blocks and redacts; monitor only reports.' }),
  fail_closed: Type.Boolean({ description: 'Whether requests are blocked if they cannot be evaluated.' }),
  hosts: Type.Array(Type.String(), {
    description: 'Hosts whose traffic is inspected; `*.` matches every subdomain.',
  }),
  bypass_hosts: Type.Array(Type.String(), {
    description: 'Hosts whose traffic is never inspected, even if `hosts` includes them.',
  }),
  blocked_tools: Type.Array(Type.String(), { description: 'Hosts or names of AI tools not allowed here.' }),
  policy_version: Type.String({
    description:
      'Changes whenever the content of the configuration changes; `issued_at` and the signature do not count as content.',
  }),
  ruleset: rulesetSchema,
  streaming: Type.Optional(settingValues.streaming),
  masking: Type.Optional(settingValues.masking),
  secret_tools: Type.Optional(settingValues.secret_tools),
  exceptions: Type.Array(bundledExceptionSchema, { description: 'Active exceptions for this device.' }),
  issued_at: Type.String({
    format: 'date-time',
    description: 'A device keeps the newest configuration it has received and rejects older ones.',
  }),
  signing_key_id: Type.String({ description: 'Id of the key that signed this configuration.' }),
  signature: Type.String({ description: 'Ed25519, base64, over the canonical bytes (docs/devices.md).' }),
});
export type DeviceConfig = Static<typeof deviceConfigSchema>;

export const managedPolicySchema = shape('ManagedPolicy', {
  fleet: nullable(Type.String(), { description: 'Name of the fleet.' }),
  force_update_mode: Type.Enum(['off', 'notify', 'force']),
  pinned_channel: nullable(Type.String(), { description: 'Update channel that devices must use.' }),
  min_version_override: nullableText,
});
export type ManagedPolicy = Static<typeof managedPolicySchema>;
