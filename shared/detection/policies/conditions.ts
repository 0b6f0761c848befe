import type { Direction, PolicyConditions, TextRole } from '../../contract/index.ts';
import type { SlotRole } from '../../text/index.ts';
import { hostName } from '../exception-scope.ts';
import { isOptIn, type SensitiveType } from '../pii/registry.ts';
import { compileSchedule } from './schedule.ts';

/** What is known of a request beyond its texts. What is not known fits no condition that asks for it. */
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

/** Whether they ask for more than a direction and a role, which a text by itself tells. */
export function isSituational(conditions: PolicyConditions | undefined): boolean {
  if (conditions === undefined) return false;
  const { hosts, providers, models, schedule } = conditions;
  return [hosts, providers, models].some(isGiven) || schedule !== undefined;
}

/** What decides, request by request, whether a policy of these conditions counts. */
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
      (typeof model === 'string' && models.some((pattern) => fitsPattern(pattern, model)))) &&
    isScheduled(atMs);
}

export function matchesDirection(conditions: PolicyConditions | undefined, direction: Direction): boolean {
  const directions = conditions?.directions;
  return !isGiven(directions) || directions.includes(direction);
}

/** undefined: of a text whose role is not known. */
export function fitsRole(conditions: PolicyConditions | undefined, role: TextRole | undefined): boolean {
  const roles = conditions?.roles;
  return !isGiven(roles) || (role !== undefined && roles.includes(role));
}

/** Narrows what a policy does about personal data and secrets; about other threats it says nothing. Opt-in types it has to name. */
export function fitsPii(conditions: PolicyConditions | undefined, pii: SensitiveType | undefined): boolean {
  const types = conditions?.pii_types;
  if (pii === undefined) return true;
  return isGiven(types) ? types.some((type) => type === pii) : !isOptIn(pii);
}

/** Whether they ask for a rule or a confidence, which only a finding has. */
export function isAboutFindings(conditions: PolicyConditions | undefined): boolean {
  if (conditions === undefined) return false;
  const { rules, min_confidence: min, below_confidence: below } = conditions;
  return isGiven(rules) || min !== undefined || below !== undefined;
}

export function fitsFinding(
  conditions: PolicyConditions | undefined,
  { rule, confidence }: { readonly rule?: string; readonly confidence?: number },
): boolean {
  if (conditions === undefined) return true;
  const { rules, min_confidence: min, below_confidence: below } = conditions;
  return (
    (!isGiven(rules) || (rule !== undefined && rules.some((pattern) => fitsPattern(pattern, rule)))) &&
    (min === undefined || (confidence !== undefined && confidence >= min)) &&
    (below === undefined || (confidence !== undefined && confidence < below))
  );
}

/** An empty list says nothing, like one that is not there. */
function isGiven<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

function fitsHost(pattern: string, host: string): boolean {
  const [wanted, name] = [hostName(pattern), hostName(host)];
  return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
}

/** `*` stands for anything; linear in the text for each piece. */
export function fitsPattern(pattern: string, text: string): boolean {
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
