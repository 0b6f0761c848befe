import Type, { type Static } from 'typebox';
import { WEEK_DAYS } from '../vocabulary/index.ts';
import { choice, count, nameOf, nullable, nullableText, shape, timestamp } from './fields.ts';
import { flowRuleSchema, MAX_FLOW_RULES } from './flow-rules.ts';
import { directionEnum, POLICY_PII_TYPES, policyPiiTypeEnum, THREAT_TYPES, threatEnum } from './verdict.ts';

export type { WeekDay } from '../vocabulary/index.ts';

export const POLICY_ACTIONS = ['allow', 'monitor', 'redact', 'block'] as const;
export type PolicyAction = (typeof POLICY_ACTIONS)[number];
export const policyActionEnum = choice('PolicyAction', POLICY_ACTIONS);

/** `monitor`: it decides nothing; what it would have done is reported. */
export const POLICY_MODES = ['enforce', 'monitor'] as const;

/** The author of a text. `system`: the developer; `tool`: the output of a tool; `other`: labels and ids. */
export const TEXT_ROLES = ['system', 'user', 'assistant', 'tool', 'document', 'other'] as const;
export type TextRole = (typeof TEXT_ROLES)[number];

const timeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'HH:MM' });

export const scheduleSchema = shape(
  'PolicySchedule',
  {
    time_zone: Type.String({ maxLength: 64, description: 'IANA name, such as Europe/Berlin.' }),
    windows: Type.Array(
      Type.Object({
        days: Type.Array(Type.Enum([...WEEK_DAYS]), { minItems: 1, maxItems: 7 }),
        from: timeOfDay,
        to: timeOfDay,
      }),
      { minItems: 1, maxItems: 20 },
    ),
  },
  {
    description:
      'A window whose end is not after its start extends past midnight and belongs to the day on which it begins.',
  },
);
export type Schedule = Static<typeof scheduleSchema>;

const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 100, description }));

/** All given conditions must match; absent ones always do. */
export const policyConditionsSchema = shape('PolicyConditions', {
  hosts: names('Destinations: `api.openai.com`, or `*.openai.com` for every subdomain.'),
  providers: names('Model providers, as the gateway names them.'),
  models: names('Models; `*` stands for anything.'),
  roles: Type.Optional(Type.Array(Type.Enum([...TEXT_ROLES]), { maxItems: TEXT_ROLES.length })),
  directions: Type.Optional(Type.Array(directionEnum, { maxItems: 2 })),
  pii_types: Type.Optional(
    Type.Array(policyPiiTypeEnum, {
      maxItems: POLICY_PII_TYPES.length,
      description:
        'Types of personal data and secrets; does not restrict other threats of the policy. `iban` and the types after it are detected only if a policy names them.',
    }),
  ),
  rules: names('Ids of detection rules, as events name them; `*` stands for anything.'),
  min_confidence: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Only findings with at least this confidence; replaces the threshold of the preset.',
    }),
  ),
  below_confidence: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Only findings below this confidence.' }),
  ),
  schedule: Type.Optional(scheduleSchema),
});
export type PolicyConditions = Static<typeof policyConditionsSchema>;

export const MAX_PATTERN_LENGTH = 500;
export const MAX_ALLOWED_VALUES = 100;

export const policyPatternSchema = shape('PolicyPattern', {
  name: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Name shown in events where the pattern matches.',
  }),
  pattern: Type.String({
    minLength: 1,
    maxLength: MAX_PATTERN_LENGTH,
    description: 'RE2 syntax; `(?i)` ignores case.',
  }),
});
export type PolicyPattern = Static<typeof policyPatternSchema>;

const domains = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 1_000, description }));

/** What a policy detects in texts itself, and which values it allows in them. */
export const policyTextRulesSchema = shape('PolicyTextRules', {
  patterns: Type.Optional(Type.Array(policyPatternSchema, { maxItems: 50 })),
  blocked_domains: domains('Domains that texts must not mention, including their subdomains.'),
  allowed_domains: domains(
    'If not empty, links in texts may lead only to these domains and their subdomains.',
  ),
  allowed_values: Type.Optional(
    Type.Array(Type.String({ minLength: 3, maxLength: 200 }), {
      maxItems: MAX_ALLOWED_VALUES,
      description:
        'Exact values of personal data and secrets that this policy allows when it decides, such as your own address or a test card number. Stored and shown unmasked.',
    }),
  ),
});

/** The settings of a policy besides its action and threat types. */
export const policyRulesSchema = shape('PolicyRules', {
  mode: Type.Optional(Type.Enum([...POLICY_MODES], { description: 'Default: enforce.' })),
  conditions: Type.Optional(policyConditionsSchema),
  ...policyTextRulesSchema.properties,
  flows: Type.Optional(
    Type.Array(flowRuleSchema, {
      maxItems: MAX_FLOW_RULES,
      description: 'Rules for tool calls; each applies on its own.',
    }),
  ),
});
export type PolicyRules = Static<typeof policyRulesSchema>;

export const policySchema = shape('Policy', {
  id: Type.String(),
  name: Type.String(),
  description: nullableText,
  action: policyActionEnum,
  threat_types: Type.Array(threatEnum, { description: 'Threat types that the policy applies to.' }),
  priority: Type.Integer({ description: 'The policy with the highest priority decides.' }),
  scope: Type.Enum(['project', 'account']),
});
export type PolicyRecord = Static<typeof policySchema>;

export const policyListSchema = shape('PolicyList', {
  policies: Type.Array(policySchema),
  total: Type.Integer({ description: 'Number of policies.' }),
});

/** A policy as admins see and change it. */
export const policyDetailSchema = shape('PolicyDetail', {
  ...policySchema.properties,
  project_id: nullableText,
  is_active: Type.Boolean(),
  from_preset: Type.Boolean({
    description: 'True if the rule comes from the preset of a project; change the preset instead.',
  }),
  ...policyRulesSchema.properties,
  flow_texts: Type.Array(Type.String(), { description: 'Each rule of `flows` as a sentence.' }),
  version: Type.Integer(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type PolicyDetail = Static<typeof policyDetailSchema>;

export const policyWarningSchema = shape('PolicyWarning', {
  code: Type.Enum(['blocks_everything', 'blocks_a_fifth', 'not_on_past_requests']),
  message: Type.String(),
});
export type PolicyWarning = Static<typeof policyWarningSchema>;

const policyName = nameOf(80);

/** The fields of a policy on creation and change. */
export const policyFieldsSchema = Type.Partial(
  Type.Object({
    name: policyName,
    description: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
    action: policyActionEnum,
    threat_types: Type.Optional(Type.Array(threatEnum, { maxItems: THREAT_TYPES.length })),
    is_active: Type.Optional(Type.Boolean()),
    ...policyRulesSchema.properties,
  }),
  { $id: 'PolicyFields' },
);

export const createPolicySchema = shape('CreatePolicyRequest', {
  ...policyFieldsSchema.properties,
  name: policyName,
  action: policyActionEnum,
  project_id: Type.Optional(nullable(Type.String(), { description: 'null: for the whole account.' })),
});
export type CreatePolicy = Static<typeof createPolicySchema>;

export const changePolicySchema = Type.Partial(
  Type.Object({
    ...policyFieldsSchema.properties,
    version: Type.Integer({
      description:
        'The version that was read. The change is rejected if another person has changed the policy since.',
    }),
  }),
  { $id: 'ChangePolicyRequest' },
);
export type ChangePolicy = Static<typeof changePolicySchema>;

export const savedPolicySchema = shape('SavedPolicy', {
  ...policyDetailSchema.properties,
  warnings: Type.Array(policyWarningSchema),
});

export const policyDetailListSchema = shape('PolicyDetailList', { policies: Type.Array(policyDetailSchema) });

export const reorderPoliciesSchema = shape('ReorderPoliciesRequest', {
  policy_ids: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 500,
    description: 'All policies of the account except those of presets, highest priority first.',
  }),
});

export const policyVersionListSchema = shape('PolicyVersionList', {
  versions: Type.Array(
    shape('PolicyVersion', {
      version: Type.Integer(),
      at: timestamp,
      changed_by: nullable(Type.String(), {
        description: 'Name of the person. Null: unknown, because the version is older than this list.',
      }),
      is_current: Type.Boolean(),
      policy: createPolicySchema,
      changes: Type.Array(
        Type.Object({
          field: Type.String(),
          before: Type.Unknown({ description: 'Null: it was not set.' }),
          after: Type.Unknown({ description: 'Null: it is not set.' }),
        }),
        { description: 'Differences from the previous version in this list.' },
      ),
    }),
    { description: 'Newest first, at most 100.' },
  ),
});
export type PolicyVersionList = Static<typeof policyVersionListSchema>;

export const restorePolicySchema = shape('RestorePolicyRequest', {
  version: Type.Integer({ minimum: 1, description: 'The version to restore.' }),
});

export const previewPolicySchema = shape('PreviewPolicyRequest', {
  policy_id: Type.Optional(Type.String({ description: 'Id of the policy that would be changed.' })),
  policy: createPolicySchema,
  hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 168, default: 24 })),
});
export type PreviewPolicy = Static<typeof previewPolicySchema>;

export const policyPreviewSchema = shape('PolicyPreview', {
  hours: Type.Integer(),
  requests: Type.Integer({ description: 'Decisions in this period to which the policy would apply.' }),
  now: Type.Object({ allow: count(), redact: count(), block: count() }),
  would: Type.Object({ allow: count(), redact: count(), block: count() }),
  considered: Type.Integer({ description: 'Events with findings that were evaluated again.' }),
  estimated: Type.Boolean({
    description:
      'True if `would` is estimated from a sample, because there were too many events to evaluate each again.',
  }),
  samples: Type.Array(
    Type.Object({
      event_id: Type.String(),
      at: timestamp,
      direction: directionEnum,
      threat_type: nullableText,
      now: Type.String(),
      would: Type.String(),
    }),
  ),
  flow_texts: Type.Array(Type.String(), { description: 'Each rule of `flows` as a sentence.' }),
  warnings: Type.Array(policyWarningSchema),
});
export type PolicyPreview = Static<typeof policyPreviewSchema>;

export const thresholdProposalSchema = shape('ThresholdProposal', {
  hours: Type.Integer(),
  prompts: count('Prompts in this period, over all roles.'),
  budget: Type.Number({
    description: 'Share of the prompts that may be blocked or redacted because of texts of one role.',
  }),
  estimated: Type.Boolean({ description: 'True if the counts are estimated from a sample of the events.' }),
  threat_types: Type.Array(threatEnum, { description: 'Threat types that are considered.' }),
  roles: Type.Array(
    Type.Object({
      role: Type.Enum([...TEXT_ROLES]),
      acted: count('Prompts that were blocked or redacted because of an attack in a text of this role.'),
      histogram: Type.Array(Type.Integer(), {
        description: 'These prompts by confidence: 20 counts in steps of 0.05.',
      }),
      proposed_threshold: nullable(Type.Number(), {
        description: 'Confidence threshold that keeps the budget. Null: the budget is kept already.',
      }),
      acted_after: count(
        '`acted` with the proposed threshold. Above the budget if too many findings are certain.',
      ),
    }),
  ),
});
export type ThresholdProposal = Static<typeof thresholdProposalSchema>;

export const tryPolicySchema = shape('TryPolicyRequest', {
  ...policyTextRulesSchema.properties,
  samples: Type.Array(Type.String({ maxLength: 10_000 }), { minItems: 1, maxItems: 20 }),
});
export type TryPolicy = Static<typeof tryPolicySchema>;

export const triedPolicySchema = shape('TryPolicyResponse', {
  results: Type.Array(
    Type.Object({
      sample: Type.Integer(),
      hits: Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer(), reason: Type.String() })),
    }),
  ),
});
