import { RE2JS, RE2Set } from 're2js';
import type { Finding, PolicyInput } from '../types.ts';
import { findLinks, findNames, isListed, normalDomain } from './domains.ts';

/** The patterns and domains of customers' policies. Always RE2: linear in the text for any pattern. */
export interface CustomRules {
  /** Worst-case cost relative to the engine, which costs 1: a pattern of many states takes 10 µs per character. */
  readonly weight: number;
  /** Returns the matches, at offsets of the given text. */
  find(text: string): readonly CustomMatch[];
}

export interface CustomMatch extends Pick<Finding, 'start' | 'end' | 'rule' | 'reason'> {
  readonly policyId: string;
}

interface Pattern {
  readonly policyId: string;
  readonly rule: string;
  readonly reason: string;
  readonly compiled: RE2JS;
}

interface DomainRule {
  readonly policyId: string;
  readonly rule: string;
  readonly policyName: string;
  readonly blocked: ReadonlySet<string>;
  /** Empty: any. */
  readonly allowed: ReadonlySet<string>;
}

/** The most matches per text and rule: enough to act on, and bounded. */
const MAX_HITS = 50;
/** Limits of one set, which is matched in one pass. */
const GROUP_PATTERNS = 16;
const GROUP_SIZE = 1_500;
/** The number of active RE2 states that cost as much per character as the engine. */
const STATES_PER_WEIGHT = 3;

/** Returns the policy that a rule of an event belongs to; null: not a customer's policy. */
export function policyOfRule(rule: string): string | null {
  return rule.startsWith('policy:') ? (rule.split(':')[1] ?? null) : null;
}

/**
 * Compiles the policies' own patterns and domains; null if there are none. Throws on an invalid pattern; validate with
 * `checkPattern` first.
 */
export function compileCustom(policies: readonly PolicyInput[]): CustomRules | null {
  const patterns: Pattern[] = [];
  const domains: DomainRule[] = [];
  for (const { id, name = id, rules } of policies) {
    for (const [index, { name: label, pattern }] of (rules?.patterns ?? []).entries()) {
      patterns.push({
        policyId: id,
        rule: `policy:${id}:${index}`,
        reason: `Matches "${label}" in the policy "${name}".`,
        compiled: RE2JS.compile(pattern),
      });
    }
    const blocked = domainSet(rules?.blocked_domains);
    const allowed = domainSet(rules?.allowed_domains);
    if (blocked.size > 0 || allowed.size > 0) {
      domains.push({ policyId: id, rule: `policy:${id}:domain`, policyName: name, blocked, allowed });
    }
  }
  if (patterns.length === 0 && domains.length === 0) return null;
  const groups = groupPatterns(patterns);
  const states = patterns.reduce((sum, { compiled }) => sum + compiled.programSize(), 0);
  const anyBlocked = domains.some(({ blocked }) => blocked.size > 0);
  const anyAllowed = domains.some(({ allowed }) => allowed.size > 0);

  return {
    weight: 1 + Math.ceil(states / STATES_PER_WEIGHT),
    find(text) {
      const hits: CustomMatch[] = [];
      for (const group of groups) {
        for (const index of group.set.match(text)) findPattern(text, group.patterns[index]!, hits);
      }
      if (anyBlocked && text.includes('.')) findBlocked(text, domains, hits);
      if (anyAllowed && (text.includes('//') || /www\./i.test(text))) findForeign(text, domains, hits);
      return hits;
    },
  };
}

/** Groups the patterns: one set with too many of them has more states than its cache, and becomes very slow. */
function groupPatterns(
  patterns: readonly Pattern[],
): readonly { readonly set: RE2Set; readonly patterns: readonly Pattern[] }[] {
  const groups: { set: RE2Set; patterns: Pattern[]; size: number }[] = [];
  for (const pattern of patterns) {
    const size = pattern.compiled.programSize();
    let group = groups.at(-1);
    if (group === undefined || group.patterns.length === GROUP_PATTERNS || group.size + size > GROUP_SIZE) {
      group = { set: new RE2Set(), patterns: [], size: 0 };
      groups.push(group);
    }
    group.set.add(pattern.compiled.pattern());
    group.patterns.push(pattern);
    group.size += size;
  }
  for (const { set } of groups) set.compile();
  return groups;
}

function findPattern(text: string, { policyId, rule, reason, compiled }: Pattern, hits: CustomMatch[]): void {
  const matcher = compiled.matcher(text);
  for (let count = 0; count < MAX_HITS && matcher.find(); count++) {
    hits.push({ policyId, rule, reason, start: matcher.start(), end: matcher.end() });
  }
}

function findBlocked(text: string, rules: readonly DomainRule[], hits: CustomMatch[]): void {
  for (const { start, end, domain } of findNames(text)) {
    for (const { policyId, rule, policyName, blocked } of rules) {
      if (!isListed(domain, blocked)) continue;
      hits.push({
        policyId,
        rule,
        start,
        end,
        reason: `Names a domain that the policy "${policyName}" blocks.`,
      });
    }
    if (hits.length >= MAX_HITS * rules.length) return;
  }
}

function findForeign(text: string, rules: readonly DomainRule[], hits: CustomMatch[]): void {
  for (const { start, end, domain } of findLinks(text)) {
    for (const { policyId, rule, policyName, allowed } of rules) {
      if (allowed.size === 0 || isListed(domain, allowed)) continue;
      const reason = `Links to a domain that the policy "${policyName}" does not allow.`;
      hits.push({ policyId, rule, start, end, reason });
    }
    if (hits.length >= MAX_HITS * rules.length * 2) return;
  }
}

function domainSet(list: readonly string[] | undefined): ReadonlySet<string> {
  return new Set((list ?? []).flatMap((text) => normalDomain(text.replace(/^\*\./, '')) ?? []));
}
