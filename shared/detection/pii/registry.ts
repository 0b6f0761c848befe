import type { Reach } from '../reach.ts';
import { API_KEY } from '../secrets/api-key.ts';
import { EMAIL } from './email-type.ts';
import { CREDIT_CARD, IP_ADDRESS, PHONE, SSN } from './number-types.ts';
import { DATE_OF_BIRTH } from './opt-in/date-of-birth.ts';
import { IBAN } from './opt-in/iban.ts';
import { MEDICAL_RECORD_NUMBER } from './opt-in/medical-record-number.ts';
import { NATIONAL_ID } from './opt-in/national-id.ts';
import type { OptInRow } from './opt-in/opt-in-row.ts';
import { PASSPORT } from './opt-in/passport.ts';
import { PERSON_NAME } from './opt-in/person-name.ts';
import { STREET_ADDRESS } from './opt-in/street-address.ts';
import type { Recognizer, SensitiveRow } from './recognizer.ts';
import type { PiiSpan } from './spans.ts';

/** Every type of personal data and secrets. A new type is a file and a line here, and must be added to `presets.ts`. */
export const SENSITIVE_TYPES = [
  EMAIL,
  PHONE,
  SSN,
  CREDIT_CARD,
  API_KEY,
  IP_ADDRESS,
] as const satisfies readonly SensitiveRow[];

/** Types that are detected only if a policy names them. A new one is a file, a line here and one in the contract. */
export const OPT_IN_TYPES = [
  IBAN,
  NATIONAL_ID,
  PASSPORT,
  DATE_OF_BIRTH,
  STREET_ADDRESS,
  PERSON_NAME,
  MEDICAL_RECORD_NUMBER,
] as const satisfies readonly OptInRow[];

/** The types that presets act on. */
export type PresetPiiType = (typeof SENSITIVE_TYPES)[number]['type'];
export type OptInType = (typeof OPT_IN_TYPES)[number]['type'];
export type SensitiveType = PresetPiiType | OptInType;

const OPT_IN_ROWS: ReadonlyMap<string, OptInRow> = new Map(OPT_IN_TYPES.map((row) => [row.type, row]));
const ROWS: ReadonlyMap<string, Pick<SensitiveRow, 'placeholder' | 'reason'>> = new Map(
  [...SENSITIVE_TYPES, ...OPT_IN_TYPES].map((row) => [row.type, row]),
);

/** Returns the row of a type that a recognizer returned. */
export function sensitiveRow(type: string): Pick<SensitiveRow, 'placeholder' | 'reason'> {
  return ROWS.get(type)!;
}

export function isOptIn(type: string): type is OptInType {
  return OPT_IN_ROWS.has(type);
}

/** Finds personal data of the types that policies name, in `text`. Spans of one type may overlap. */
export function findOptIn(text: string, types: readonly OptInType[]): PiiSpan[] {
  const plain = text.includes('\\') ? text.replace(ESCAPES, escaped) : text;
  return types.flatMap((type) => OPT_IN_ROWS.get(type)!.find(plain));
}

/** Escaped line ends and quotes in JSON; the replacements have the same length, so that offsets stay the same. */
const ESCAPES = /\\[nrt"]/g;
const escaped = (written: string): string => (written === '\\"' ? ' "' : ' \n');

/** Returns the maximum reach of these types. */
export function optInReach(types: readonly OptInType[]): Pick<Reach, 'before' | 'after'> {
  const all = types.map((type) => OPT_IN_ROWS.get(type)!.reach);
  return {
    before: Math.max(...all.map(({ before }) => before)),
    after: Math.max(...all.map(({ after }) => after)),
  };
}

/** Returns the type of a rule, such as `credit_card` for `pii.credit-card`; undefined: none. */
export function sensitiveTypeOfRule(rule: string): SensitiveType | undefined {
  if (rule.startsWith('secret.')) return API_KEY.type;
  if (!rule.startsWith('pii.')) return undefined;
  const name = rule.slice('pii.'.length).replaceAll('-', '_');
  if (/^ipv\d$/.test(name)) return IP_ADDRESS.type;
  return [...SENSITIVE_TYPES, ...OPT_IN_TYPES].find(({ type }) => name.startsWith(type))?.type;
}

/** The recognizers of personal data, once each; those of secrets have no start characters. */
export const RECOGNIZERS: readonly Recognizer[] = [
  ...new Set(SENSITIVE_TYPES.flatMap((row): SensitiveRow['recognizers'] => row.recognizers)),
].filter((one) => 'starts' in one);
