import { RE2Set } from 're2js';
import type { Text } from '../read/codes.ts';
import { createFinder, type FindLiterals } from '../read/find-literals.ts';
import type { Rule } from './rule.ts';

export interface RuleHit {
  readonly rule: Rule;
  readonly start: number;
  readonly end: number;
}

/**
 * Runs all rules of a set in one pass over `text[start, end)`, and adds new matches to `hits`, one per rule. Short
 * pieces only: locating a match may take time quadratic in the piece.
 */
export interface MatchRules {
  (text: string, start: number, end: number, hits: RuleHit[]): void;
  /** Finds a literal of the set: without one no rule matches. */
  readonly findKeyword: FindLiterals;
}

const LINES = /[^\S ]/;
/**
 * Bounded gaps cost the automaton one state per character, so it gets unbounded ones; the locator enforces the bound.
 */
const WIDE_GAP = /\{0,\d{2,}\}/g;

/**
 * Creates a matcher for a set of rules. The set is compiled at the first text with one of its keywords, because many
 * programs never see one.
 */
export function createMatcher(rules: readonly Rule[]): MatchRules {
  const literals = rules.flatMap((rule) => rule.keywords);
  const keywords = new RegExp(literals.map(escapeLiteral).join('|'));
  let compiled: CompiledRules | undefined;
  const match = (text: string, start: number, end: number, hits: RuleHit[]): void => {
    const lower = text.slice(start, end).toLowerCase();
    const piece = LINES.test(lower) ? lower.replace(/\s/g, ' ') : lower;
    if (!keywords.test(piece)) return;
    compiled ??= compileRules(rules);
    const { set, locators } = compiled;
    for (const index of set.match(piece)) {
      const rule = rules[index]!;
      if (hits.some((hit) => hit.rule === rule)) continue;
      const found = locators[index]!.exec(piece);
      if (found === null) continue;
      const before = rule.begins === undefined ? 0 : Math.max(0, found[0].search(new RegExp(rule.begins)));
      hits.push({
        rule,
        start: start + found.index + before,
        end: Math.min(end, start + found.index + found[0].length),
      });
    }
  };
  return Object.assign(match, { findKeyword: createFinder(literals) });
}

interface CompiledRules {
  readonly set: RE2Set;
  readonly locators: readonly RegExp[];
}

function compileRules(rules: readonly Rule[]): CompiledRules {
  const set = new RE2Set();
  for (const rule of rules) set.add(rule.pattern.replace(WIDE_GAP, '*'));
  set.compile();
  return { set, locators: rules.map((rule) => new RegExp(rule.pattern, 'u')) };
}

function escapeLiteral(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Runs the rules over a text of any length, in overlapping pieces, so that nothing hides at a boundary. */
export function matchInPieces(
  match: MatchRules,
  { string: text, codes }: Text,
  piece: number,
  overlap: number,
): RuleHit[] {
  const hits: RuleHit[] = [];
  let keyword = match.findKeyword(codes, 0, text.length);
  for (let from = 0; keyword < text.length; from += piece - overlap) {
    const to = Math.min(text.length, from + piece);
    if (keyword < from) keyword = match.findKeyword(codes, from, text.length);
    if (keyword < to) match(text, from, to, hits);
    if (to === text.length) break;
  }
  return hits;
}
