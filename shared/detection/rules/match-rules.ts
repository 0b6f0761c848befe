import { RE2Set } from 're2js';
import { RULES } from './index.ts';
import type { Rule } from './rule.ts';

export interface RuleHit {
  readonly rule: Rule;
  readonly start: number;
  readonly end: number;
}

const LINES = /[\n\r\t]/;
const set = new RE2Set();
for (const rule of RULES) set.add(rule.pattern);
set.compile();
const locators = RULES.map((rule) => new RegExp(rule.pattern, 'u'));

/**
 * Tries all rules in one pass over `text[start, end)`, a sentence or two, and adds those that match and are not in `hits` yet.
 * Short pieces only: locating a match may cost the square of the piece.
 */
export function matchRules(text: string, start: number, end: number, hits: RuleHit[]): void {
  const lower = text.slice(start, end).toLowerCase();
  const piece = LINES.test(lower) ? lower.replace(/\s/g, ' ') : lower;
  for (const index of set.match(piece)) {
    const rule = RULES[index]!;
    if (hits.some((hit) => hit.rule === rule)) continue;
    const match = locators[index]!.exec(piece);
    if (match === null) continue;
    hits.push({
      rule,
      start: start + match.index,
      end: Math.min(end, start + match.index + match[0].length),
    });
  }
}
