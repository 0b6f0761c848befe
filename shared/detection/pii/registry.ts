import { API_KEY } from '../secrets/api-key.ts';
import { EMAIL } from './email-type.ts';
import { CREDIT_CARD, IP_ADDRESS, PHONE, SSN } from './number-types.ts';
import type { Recognizer, SensitiveRow } from './recognizer.ts';

/** Every type of personal data and secrets. A new type is a file and a line here; `presets.ts` has to name it. */
export const SENSITIVE_TYPES = [
  EMAIL,
  PHONE,
  SSN,
  CREDIT_CARD,
  API_KEY,
  IP_ADDRESS,
] as const satisfies readonly SensitiveRow[];

export type SensitiveType = (typeof SENSITIVE_TYPES)[number]['type'];

const ROWS: ReadonlyMap<string, SensitiveRow> = new Map(SENSITIVE_TYPES.map((row) => [row.type, row]));

/** The row of a type that a recognizer returned. */
export function sensitiveRow(type: string): SensitiveRow {
  return ROWS.get(type)!;
}

/** The type that a rule looks for, such as `credit_card` for `pii.credit-card`; undefined: none. */
export function sensitiveTypeOfRule(rule: string): SensitiveType | undefined {
  if (rule.startsWith('secret.')) return API_KEY.type;
  if (!rule.startsWith('pii.')) return undefined;
  const name = rule.slice('pii.'.length).replaceAll('-', '_');
  if (/^ipv\d$/.test(name)) return IP_ADDRESS.type;
  return SENSITIVE_TYPES.find(({ type }) => name.startsWith(type))?.type;
}

/** The recognizers of personal data, once each. */
export const RECOGNIZERS: readonly Recognizer[] = [
  ...new Set(
    SENSITIVE_TYPES.filter((row) => row !== API_KEY).flatMap((row): readonly Recognizer[] => row.recognizers),
  ),
];
