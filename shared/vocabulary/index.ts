/**
 * Names in the contract that the engine decides by. They stand apart from the contract's schemas, because a scan thread
 * that loaded the schema library would start half as fast.
 */

export const THREAT_TYPES = [
  'prompt_injection',
  'instruction_override',
  'jailbreak',
  'system_prompt_leak',
  'indirect_prompt_injection',
  'pii_leak',
  'secret_leak',
  'data_exfiltration',
  'malicious_script',
  'hidden_content',
  'unsafe_tool_call',
  'custom_policy',
] as const;
export type ThreatType = (typeof THREAT_TYPES)[number];

/** Types of what a text holds. All others are attacks. */
const DATA_THREATS: readonly string[] = ['pii_leak', 'secret_leak', 'custom_policy'] satisfies ThreatType[];

export function isAttack(threatType: string): boolean {
  return !DATA_THREATS.includes(threatType);
}

/**
 * Returns the threat type that an exception has to name to cover a decision, from the type that decided and those that
 * were found. null: attacks of any type, unless exactly one was found; the others would block the same text again.
 */
export function threatToExcept(
  decidedBy: ThreatType | null,
  found: readonly ThreatType[],
): ThreatType | null {
  if (decidedBy === null || !isAttack(decidedBy)) return decidedBy;
  const attacks = new Set(found.filter(isAttack));
  return attacks.size === 1 && attacks.has(decidedBy) ? decidedBy : null;
}

export const PII_TYPES = ['email', 'phone', 'ssn', 'credit_card', 'api_key', 'ip_address'] as const;
export type PiiType = (typeof PII_TYPES)[number];

export const USE_CASES = [
  'default',
  'support_bot',
  'code_assistant',
  'rag_system',
  'data_analysis',
  'creative_writing',
] as const;
export type UseCase = (typeof USE_CASES)[number];

export const STRICTNESS_LEVELS = ['strict', 'moderate', 'permissive'] as const;
export type StrictnessLevel = (typeof STRICTNESS_LEVELS)[number];

export const WEEK_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type WeekDay = (typeof WEEK_DAYS)[number];
