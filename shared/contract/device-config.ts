import Type, { type Static } from 'typebox';
import { nullableText, shape, timestamp } from './fields.ts';
import { policyActionEnum } from './policies.ts';
import { strictnessEnum, useCaseEnum } from './project-choices.ts';
import { threatEnum } from './verdict.ts';

/**
 * First line of the bytes that are signed; then the canonical JSON (shared/text canonicalJson) of the bundle
 * without `signature`, in UTF-8. Ed25519; the signature is base64.
 */
export const DEVICE_CONFIG_FORMAT = 'csg-device-config-v1';

export const DEVICE_MODES = ['enforce', 'monitor'] as const;
export type DeviceMode = (typeof DEVICE_MODES)[number];

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
    ),
  },
  {
    additionalProperties: true,
    description: 'What the engine compiles: the device judges as the cloud does.',
  },
);

/** An exception that counts for this device, as far as the offline engine needs it. */
export const bundledExceptionSchema = shape('DeviceException', {
  id: Type.String(),
  destination_host: Type.String(),
  threat_types: Type.Array(threatEnum, {
    description: 'What it excuses: its policy and its threat worked out.',
  }),
  expires_at: timestamp,
});

export const deviceConfigSchema = shape('DeviceConfig', {
  device_id: Type.String(),
  mode: Type.Enum([...DEVICE_MODES]),
  fail_closed: Type.Boolean(),
  hosts: Type.Array(Type.String(), { description: 'To be opened; `*.` stands for any name below.' }),
  bypass_hosts: Type.Array(Type.String(), { description: 'Never to be opened, whatever `hosts` says.' }),
  blocked_tools: Type.Array(Type.String(), { description: 'Hosts or names of AI tools not allowed here.' }),
  policy_version: Type.String({ description: 'Changes whenever anything else in here changes.' }),
  ruleset: rulesetSchema,
  exceptions: Type.Array(bundledExceptionSchema),
  issued_at: Type.String({
    format: 'date-time',
    description: 'A device keeps the newest bundle it has seen and refuses older ones.',
  }),
  signing_key_id: Type.String(),
  signature: Type.String({ description: 'Ed25519, base64, over the canonical bytes (docs/devices.md).' }),
});
export type DeviceConfig = Static<typeof deviceConfigSchema>;

export const managedPolicySchema = shape('ManagedPolicy', {
  fleet: nullableText,
  force_update_mode: Type.Enum(['off', 'notify', 'force']),
  pinned_channel: nullableText,
  min_version_override: nullableText,
});
export type ManagedPolicy = Static<typeof managedPolicySchema>;
