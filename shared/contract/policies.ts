import Type, { type Static } from 'typebox';
import { THREAT_TYPES } from './verdict.ts';

export const POLICY_ACTIONS = ['allow', 'monitor', 'redact', 'block'] as const;
export type PolicyAction = (typeof POLICY_ACTIONS)[number];

export const policySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  action: Type.Enum([...POLICY_ACTIONS]),
  threat_types: Type.Array(Type.Enum([...THREAT_TYPES])),
  priority: Type.Integer(),
  scope: Type.Enum(['project', 'account']),
});
export type PolicyRecord = Static<typeof policySchema>;

export const policyListSchema = Type.Object({ policies: Type.Array(policySchema), total: Type.Integer() });
