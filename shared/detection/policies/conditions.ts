import type { Direction, PolicyConditions, TextRole } from '../../contract/index.ts';
import type { SlotRole } from '../../text/index.ts';
import { hostName } from '../exception-scope.ts';
import { isOptIn, type SensitiveType } from '../pii/registry.ts';
import { compileSchedule } from './schedule.ts';

/** What is known about a request besides its texts. Unknown values match no condition on them. */
export interface PolicyContext {
  readonly host?: string | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | null | undefined;
  readonly atMs: number;
}

const TEXT_ROLE_OF: Readonly<Record<SlotRole, TextRole>> = {
  system: 'system',
  tool_definition: 'system',
  user: 'user',
  assistant: 'assistant',
  tool_call: 'assistant',
  tool_result: 'tool',
  document: 'document',
  identifier: 'other',
  metadata: 'other',
  other: 'other',
  credential: 'other',
};

export function textRoleOf(role: SlotRole): TextRole {
  return TEXT_ROLE_OF[role];
}

/** True if the conditions depend on more than direction and role, which are known from a text alone. */
export function isSituational(conditions: PolicyConditions | undefined): boolean {
  if (conditions === undefined) return false;
  const { hosts, providers, models, schedule } = conditions;
  return [hosts, providers, models].some(isGiven) || schedule !== undefined;
}

/** Compiles the conditions to a check whether the policy applies to a request. */
export function compileContext(
  conditions: PolicyConditions | undefined,
): (policyContext: PolicyContext) => boolean {
  if (conditions === undefined) return () => true;
  const { hosts, providers, models, schedule } = conditions;
  const isScheduled = schedule === undefined ? () => true : compileSchedule(schedule);
  return ({ host, provider, model, atMs }) =>
    (!isGiven(hosts) || (host !== undefined && hosts.some((pattern) => fitsHost(pattern, host)))) &&
    (!isGiven(providers) || (provider !== undefined && providers.includes(provider))) &&
    (!isGiven(models) ||
      (typeof model === 'string' && models.some((pattern) => matchesPattern(pattern, model)))) &&
    isScheduled(atMs);
}

export function matchesDirection(conditions: PolicyConditions | undefined, direction: Direction): boolean {
  const directions = conditions?.directions;
  return !isGiven(directions) || directions.includes(direction);
}

/** `role`: undefined if the role of the text is unknown. */
export function matchesRole(conditions: PolicyConditions | undefined, role: TextRole | undefined): boolean {
  const roles = conditions?.roles;
  return !isGiven(roles) || (role !== undefined && roles.includes(role));
}

/** Restricts a policy's action on personal data and secrets; other threats always match. Opt-in types must be named. */
export function matchesPii(
  conditions: PolicyConditions | undefined,
  pii: SensitiveType | undefined,
): boolean {
  const types = conditions?.pii_types;
  if (pii === undefined) return true;
  return isGiven(types) ? types.some((type) => type === pii) : !isOptIn(pii);
}

/** True if the conditions include a rule or a confidence, which only a finding has. */
export function isAboutFindings(conditions: PolicyConditions | undefined): boolean {
  if (conditions === undefined) return false;
  const { rules, min_confidence: min, below_confidence: below } = conditions;
  return isGiven(rules) || min !== undefined || below !== undefined;
}

export function matchesFinding(
  conditions: PolicyConditions | undefined,
  { rule, confidence }: { readonly rule?: string; readonly confidence?: number },
): boolean {
  if (conditions === undefined) return true;
  const { rules, min_confidence: min, below_confidence: below } = conditions;
  return (
    (!isGiven(rules) || (rule !== undefined && rules.some((pattern) => matchesPattern(pattern, rule)))) &&
    (min === undefined || (confidence !== undefined && confidence >= min)) &&
    (below === undefined || (confidence !== undefined && confidence < below))
  );
}

/** An empty list has the same meaning as an absent one. */
function isGiven<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

function fitsHost(pattern: string, host: string): boolean {
  const [wanted, name] = [hostName(pattern), hostName(host)];
  return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
}

/** `*` matches any text; linear in the text for each piece. */
export function matchesPattern(pattern: string, text: string): boolean {
  const pieces = pattern.toLowerCase().split('*');
  const name = text.toLowerCase();
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  if (pieces.length === 1) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  let at = first.length;
  const end = name.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
