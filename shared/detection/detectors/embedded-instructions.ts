import { ATTACK } from '../operating-points/attacks.ts';
import { NOT_IN_RESPONSES } from '../reach.ts';
import type { Text } from '../read/codes.ts';
import { RULE_SETS } from '../rules/index.ts';
import { createMatcher, matchInPieces, type RuleHit } from '../rules/match-rules.ts';
import { type Detector, type DetectorRow, pushMatches } from './detector.ts';
import { isFenced } from './fences.ts';
import { isData } from './slot-roles.ts';

const PIECE = 2_000;
const OVERLAP = 400;

const match = createMatcher(RULE_SETS.data);

/** In data: sentences that address the assistant, or ask it to act without the user's knowledge. */
const detectEmbeddedInstructions: Detector = (view, findings) => {
  if (view.direction === 'output' || !isData(view.slot)) return;
  const { text } = view.cleaned;
  pushMatches(view, matchEmbedded(view.text), findings, (hit) =>
    isFenced(text, hit.start) ? ATTACK.fencedShare : 1,
  );
};

export function matchEmbedded(text: Text): RuleHit[] {
  return matchInPieces(match, text, PIECE, OVERLAP);
}

export const EMBEDDED_INSTRUCTIONS = {
  detect: detectEmbeddedInstructions,
  reach: NOT_IN_RESPONSES,
} as const satisfies DetectorRow;
