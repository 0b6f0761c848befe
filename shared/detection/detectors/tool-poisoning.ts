import { ATTACK } from '../operating-points/attacks.ts';
import { NOT_IN_RESPONSES } from '../reach.ts';
import { RULE_SETS } from '../rules/index.ts';
import { createMatcher, type RuleHit } from '../rules/match-rules.ts';
import { type Detector, type DetectorRow, place } from './detector.ts';
import { isQuotedMention } from './quoted-mention.ts';

/** Related signs in a description are near each other. */
const PIECE = 600;
const OVERLAP = 200;

/** One matcher per rule: the gaps are wide, and in a combined automaton the states of all gaps multiply. */
const signMatchers = RULE_SETS.definitions.map((rule) => createMatcher([rule]));
const matchAside = createMatcher(RULE_SETS.definitionsAside);
const matchAttacks = createMatcher(RULE_SETS.attacks);

/**
 * In descriptions of tools and parameters: an instruction to the model about other tools, other data or the user's
 * secrets. Descriptions are full of instructions, so several different signs in one passage are required.
 */
const detectToolPoisoning: Detector = (view, findings) => {
  if (view.slot.role !== 'tool_definition' || view.direction === 'output') return;
  const { text } = view.cleaned;
  let best: readonly Sign[] = [];
  for (let from = 0; from < text.length; from += PIECE - OVERLAP) {
    const to = Math.min(text.length, from + PIECE);
    const signs = signsIn(text, from, to);
    if (sum(signs) > sum(best)) best = signs;
    if (to === text.length) break;
  }
  const total = sum(best);
  if (total < ATTACK.poisoningEnough) return;
  const start = Math.min(...best.map((sign) => sign.start));
  const end = Math.max(...best.map((sign) => sign.end));
  findings.push({
    ...place(view, start, end),
    type: 'indirect_prompt_injection',
    rule: 'tool.poisoned-description',
    confidence: Math.min(ATTACK.mostOfPoisoning, ATTACK.poisoningBase + total),
    reason: 'The description of a tool instructs the model about other tools, other data or secrets.',
  });
};

export const TOOL_POISONING = {
  detect: detectToolPoisoning,
  reach: NOT_IN_RESPONSES,
} as const satisfies DetectorRow;

interface Sign {
  readonly share: number;
  readonly start: number;
  readonly end: number;
}

function signsIn(text: string, from: number, to: number): Sign[] {
  const hits: RuleHit[] = [];
  for (const match of signMatchers) match(text, from, to, hits);
  const attacks: RuleHit[] = [];
  matchAttacks(text, from, to, attacks);
  const attack = attacks.find(
    ({ rule, start, end }) => rule.confidence >= ATTACK.poisoningRule && !isQuotedMention(text, start, end),
  );
  if (hits.length === 0 && attack === undefined) return [];
  matchAside(text, from, to, hits);
  const signs = hits.map(({ rule, start, end }) => ({ share: rule.confidence, start, end }));
  return attack === undefined ? signs : [...signs, { ...attack, share: ATTACK.poisoningRuleShare }];
}

/** Rounds to two decimal places, because shares are hundredths. */
function sum(signs: readonly Sign[]): number {
  return Math.round(signs.reduce((total, { share }) => total + share, 0) * 100) / 100;
}
