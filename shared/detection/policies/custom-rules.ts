import { RE2JS, RE2Set } from 're2js';
import type { Finding, PolicyInput } from '../types.ts';
import { findLinks, findNames, isListed, normalDomain } from './domains.ts';

/** What customers' own policies look for in a text. Always RE2: linear in the text whatever the pattern. */
export interface CustomRules {
  /** What was found, at offsets of the given text. */
  find(text: string): readonly CustomHit[];
}

export interface CustomHit extends Pick<Finding, 'start' | 'end' | 'rule' | 'reason'> {
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

/** In one text, of one rule: enough to act on, and bounded. */
const MOST_HITS = 50;

/** Which policy a rule of an event belongs to; null: none of a customer's. */
export function policyOfRule(rule: string): string | null {
  return rule.startsWith('policy:') ? (rule.split(':')[1] ?? null) : null;
}

/** null where no policy looks for anything of its own. Throws where a pattern is none; check them before (`checkPattern`). */
export function compileCustom(policies: readonly PolicyInput[]): CustomRules | null {
  const patterns: Pattern[] = [];
  const domains: DomainRule[] = [];
  for (const { id, name = id, rules } of policies) {
    for (const [index, { name: label, pattern }] of (rules?.patterns ?? []).entries()) {
      patterns.push({
        policyId: id,
        rule: `policy:${id}:${index}`,
        reason: `Matches "${label}" of the policy "${name}".`,
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
  const set = new RE2Set();
  for (const { compiled } of patterns) set.add(compiled.pattern());
  if (patterns.length > 0) set.compile();
  const anyBlocked = domains.some(({ blocked }) => blocked.size > 0);
  const anyAllowed = domains.some(({ allowed }) => allowed.size > 0);

  return {
    find(text) {
      const hits: CustomHit[] = [];
      if (patterns.length > 0) for (const index of set.match(text)) findPattern(text, patterns[index]!, hits);
      if (anyBlocked && text.includes('.')) findBlocked(text, domains, hits);
      if (anyAllowed && (text.includes('//') || /www\./i.test(text))) findForeign(text, domains, hits);
      return hits;
    },
  };
}

function findPattern(text: string, { policyId, rule, reason, compiled }: Pattern, hits: CustomHit[]): void {
  const matcher = compiled.matcher(text);
  for (let count = 0; count < MOST_HITS && matcher.find(); count++) {
    hits.push({ policyId, rule, reason, start: matcher.start(), end: matcher.end() });
  }
}

function findBlocked(text: string, rules: readonly DomainRule[], hits: CustomHit[]): void {
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
    if (hits.length >= MOST_HITS * rules.length) return;
  }
}

function findForeign(text: string, rules: readonly DomainRule[], hits: CustomHit[]): void {
  for (const { start, end, domain } of findLinks(text)) {
    for (const { policyId, rule, policyName, allowed } of rules) {
      if (allowed.size === 0 || isListed(domain, allowed)) continue;
      const reason = `Links to a domain that the policy "${policyName}" does not allow.`;
      hits.push({ policyId, rule, start, end, reason });
    }
    if (hits.length >= MOST_HITS * rules.length * 2) return;
  }
}

function domainSet(list: readonly string[] | undefined): ReadonlySet<string> {
  return new Set((list ?? []).flatMap((text) => normalDomain(text.replace(/^\*\./, '')) ?? []));
}
