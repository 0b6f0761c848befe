import type { PolicyDetail, TextRole, WeekDay } from '@csg/shared/contract';
import { countOf } from '../../data/format.ts';
import { threatLabel } from '../../data/labels.ts';

export const ROLE_LABELS: Readonly<Record<TextRole, string>> = {
  system: "the developer's instructions",
  user: 'a user',
  assistant: 'the model',
  tool: 'a tool',
  document: 'a document',
  other: 'labels and ids',
};

export const DAY_LABELS: Readonly<Record<WeekDay, string>> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
};

/** What it looks for, in a few words. */
export function criteriaLabel(
  policy: Pick<PolicyDetail, 'threat_types' | 'patterns' | 'blocked_domains' | 'allowed_domains'>,
): string {
  const { threat_types, patterns = [], blocked_domains = [], allowed_domains = [] } = policy;
  const parts: string[] = [];
  if (threat_types.length > 3) parts.push(countOf(threat_types.length, 'threat type'));
  else if (threat_types.length > 0) parts.push(threat_types.map(threatLabel).join(', '));
  if (patterns.length > 0) parts.push(countOf(patterns.length, 'pattern'));
  if (blocked_domains.length > 0) parts.push(countOf(blocked_domains.length, 'blocked domain'));
  if (allowed_domains.length > 0) parts.push(countOf(allowed_domains.length, 'allowed domain'));
  return parts.join(', ') || 'everything';
}

/** Where and when it holds. */
export function scopeLabel({ conditions }: Pick<PolicyDetail, 'conditions'>, project: string | null): string {
  const parts = [project ?? 'the whole account'];
  const { hosts = [], providers = [], models = [], roles = [], directions = [], schedule } = conditions ?? {};
  parts.push(...hosts.slice(0, 2), ...providers.slice(0, 2), ...models.slice(0, 2));
  if (roles.length > 0) parts.push(`words of ${roles.map((role) => ROLE_LABELS[role]).join(', ')}`);
  if (directions.length === 1) parts.push(directions[0] === 'input' ? 'prompts' : 'answers');
  if (schedule !== undefined) parts.push('at certain times');
  return parts.join(', ');
}
