import { RE2Set } from 're2js';
import type { Rule } from './rule.ts';

export interface RuleHit {
  readonly rule: Rule;
  readonly start: number;
  readonly end: number;
}

/**
 * Tries all rules of a set in one pass over `text[start, end)`, and adds those that match and are not in `hits` yet.
 * Short pieces only: locating a match may cost the square of the piece.
 */
export type MatchRules = (text: string, start: number, end: number, hits: RuleHit[]) => void;

const LINES = /[^\S ]/;
/** Gaps of many characters cost the automaton a state for each; how wide one is, the locator looks after. */
const WIDE_GAP = /\{0,\d{2,}\}/g;

/** Compiles a set of rules once. */
export function createMatcher(rules: readonly Rule[]): MatchRules {
  const keywords = new RegExp(rules.flatMap((rule) => rule.keywords.map(escapeLiteral)).join('|'));
  const set = new RE2Set();
  for (const rule of rules) set.add(rule.pattern.replace(WIDE_GAP, '*'));
  set.compile();
  const locators = rules.map((rule) => new RegExp(rule.pattern, 'u'));
  return (text, start, end, hits) => {
    const lower = text.slice(start, end).toLowerCase();
    if (!keywords.test(lower)) return;
    const piece = LINES.test(lower) ? lower.replace(/\s/g, ' ') : lower;
    for (const index of set.match(piece)) {
      const rule = rules[index]!;
      if (hits.some((hit) => hit.rule === rule)) continue;
      const match = locators[index]!.exec(piece);
      if (match === null) continue;
      hits.push({
        rule,
        start: start + match.index,
        end: Math.min(end, start + match.index + match[0].length),
      });
    }
  };
}

function escapeLiteral(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The same over a text of any length, in pieces that overlap, so that nothing hides on a border. */
export function matchInPieces(match: MatchRules, text: string, piece: number, overlap: number): RuleHit[] {
  const hits: RuleHit[] = [];
  for (let from = 0; from < text.length; from += piece - overlap) {
    match(text, from, Math.min(text.length, from + piece), hits);
    if (from + piece >= text.length) break;
  }
  return hits;
}
