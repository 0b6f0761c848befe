import { RE2Set } from 're2js';
import { RULES } from './index.ts';
import type { Rule } from './rule.ts';

export interface RuleHit {
  readonly rule: Rule;
  readonly start: number;
  readonly end: number;
}

const BEFORE = 160;
const AFTER = 640;

const set = new RE2Set();
for (const rule of RULES) set.add(rule.pattern);
set.compile();
const locators = RULES.map((rule) => new RegExp(rule.pattern, 'u'));
const stems = [...new Set(RULES.flatMap((rule) => rule.keywords))].sort((a, b) => b.length - a.length);
const anyKeyword = new RegExp(
  stems.map((stem) => stem.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'),
  'g',
);

/**
 * Every rule that matches, once each, with where. Only the neighbourhood of keywords is read, all rules in one pass over it;
 * neighbourhoods never overlap by more than `BEFORE`, so the work stays linear.
 */
export function matchRules(text: string): RuleHit[] {
  const lower = text.toLowerCase().replace(/\s/g, ' ');
  const hits: RuleHit[] = [];
  const seen = new Set<number>();
  anyKeyword.lastIndex = 0;
  for (let keyword = anyKeyword.exec(lower); keyword !== null; keyword = anyKeyword.exec(lower)) {
    const start = Math.max(0, keyword.index - BEFORE);
    const end = Math.min(lower.length, keyword.index + AFTER);
    const piece = lower.slice(start, end);
    for (const index of set.match(piece)) {
      if (seen.has(index)) continue;
      const match = locators[index]!.exec(piece);
      if (match === null) continue;
      seen.add(index);
      hits.push({
        rule: RULES[index]!,
        start: start + match.index,
        end: start + match.index + match[0].length,
      });
    }
    if (end === lower.length) break;
    anyKeyword.lastIndex = Math.max(anyKeyword.lastIndex, end - BEFORE);
  }
  return hits;
}
