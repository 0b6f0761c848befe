import Type, { type Static } from 'typebox';
import { nullableText, timestamp } from './fields.ts';
import { POLICY_ACTIONS } from './policies.ts';
import { STRICTNESS_LEVELS, USE_CASES } from './projects.ts';
import { THREAT_TYPES } from './verdict.ts';

/**
 * First line of the bytes that are signed; then the canonical JSON (shared/text canonicalJson) of the bundle
 * without `signature`, in UTF-8. Ed25519; the signature is base64.
 */
export const DEVICE_CONFIG_FORMAT = 'csg-device-config-v1';

export const DEVICE_MODES = ['enforce', 'monitor'] as const;
export type DeviceMode = (typeof DEVICE_MODES)[number];

const rulesetSchema = Type.Object(
  {
    useCase: Type.Enum([...USE_CASES]),
    strictness: Type.Enum([...STRICTNESS_LEVELS]),
    policies: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          action: Type.Enum([...POLICY_ACTIONS]),
          threatTypes: Type.Array(Type.Enum([...THREAT_TYPES])),
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
export const bundledExceptionSchema = Type.Object({
  id: Type.String(),
  destination_host: Type.String(),
  threat_types: Type.Array(Type.Enum([...THREAT_TYPES]), {
    description: 'What it excuses: its policy and its threat worked out.',
  }),
  expires_at: timestamp,
});

export const deviceConfigSchema = Type.Object({
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

export const managedPolicySchema = Type.Object({
  fleet: nullableText,
  force_update_mode: Type.Enum(['off', 'notify', 'force']),
  pinned_channel: nullableText,
  min_version_override: nullableText,
});
export type ManagedPolicy = Static<typeof managedPolicySchema>;
