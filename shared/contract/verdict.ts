import Type, { type Static } from 'typebox';
import { PII_TYPES, THREAT_TYPES } from '../vocabulary/index.ts';
import { choice, nullable, shape } from './fields.ts';

export {
  isAttack,
  PII_TYPES,
  type PiiType,
  THREAT_TYPES,
  type ThreatType,
  threatToExcept,
} from '../vocabulary/index.ts';

export const DECISIONS = ['allow', 'redact', 'block'] as const;
export type Decision = (typeof DECISIONS)[number];
/** Of two decisions about the same text, the stricter one applies. */
export const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, redact: 1, block: 2 };

export const threatEnum = choice('ThreatType', THREAT_TYPES);

export const piiTypeEnum = choice('PiiType', PII_TYPES);

/** Detected only if a policy names them. */
export const OPT_IN_PII_TYPES = [
  'iban',
  'national_id',
  'passport',
  'date_of_birth',
  'street_address',
  'person_name',
  'medical_record_number',
] as const;
export const POLICY_PII_TYPES = [...PII_TYPES, ...OPT_IN_PII_TYPES] as const;
export type PolicyPiiType = (typeof POLICY_PII_TYPES)[number];
export const policyPiiTypeEnum = choice('PolicyPiiType', POLICY_PII_TYPES);

export const DIRECTIONS = ['input', 'output'] as const;
export type Direction = (typeof DIRECTIONS)[number];
export const directionEnum = choice('Direction', DIRECTIONS);

export const decisionSchema = Type.Enum(['allow', 'block', 'redact'], {
  $id: 'Decision',
  description: 'What the policy decided.',
});
export const confidenceSchema = Type.Number({ minimum: 0, maximum: 1 });
export const threatTypeSchema = nullable(threatEnum);

export const DECIDED_BY_KINDS = [
  'preset',
  'policy',
  'exception',
  'policy_webhook',
  'limit',
  'setting',
  'feedback',
] as const;

/** What determined a decision. */
export interface DecidedBy {
  readonly kind: (typeof DECIDED_BY_KINDS)[number];
  /** The id of the policy or exception; the project field for a setting; use case and strictness for a preset. */
  readonly id: string;
}

export const threatDetailSchema = shape('Threat', {
  type: threatEnum,
  confidence: Type.Number({ minimum: 0, maximum: 1, description: 'How sure the engine is, from 0 to 1.' }),
  details: Type.String({ description: 'One sentence for people; never contains the matched text.' }),
});
export type ThreatDetail = Static<typeof threatDetailSchema>;
