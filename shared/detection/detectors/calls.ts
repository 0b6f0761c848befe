import { ATTACK } from '../operating-points/attacks.ts';
import { NOT_IN_RESPONSES } from '../reach.ts';
import { RULE_SETS } from '../rules/index.ts';
import { createMatcher, matchInPieces } from '../rules/match-rules.ts';
import { type Detector, type DetectorRow, pushMatches } from './detector.ts';

const PIECE = 2_000;
const OVERLAP = 400;
/** Longer arguments, and those with a fenced block, are a file being written, not a command. */
const MAX_COMMAND = 2_000;

const match = createMatcher(RULE_SETS.calls);

/** In the arguments of tool calls: commands, paths, addresses and queries that no task needs. */
const detectUnsafeCall: Detector = (view, findings) => {
  if (view.slot.role !== 'tool_call') return;
  const { text } = view.cleaned;
  const isFile = text.length > MAX_COMMAND || text.includes('```');
  pushMatches(view, matchInPieces(match, view.text, PIECE, OVERLAP), findings, () =>
    isFile ? ATTACK.fileShare : 1,
  );
};

export const UNSAFE_CALLS = {
  detect: detectUnsafeCall,
  reach: NOT_IN_RESPONSES,
} as const satisfies DetectorRow;
