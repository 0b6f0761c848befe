import { ATTACK } from '../operating-points/attacks.ts';
import { matchAt } from '../read/match-at.ts';
import { RULE_SETS } from '../rules/index.ts';
import { createMatcher, matchInPieces, type RuleHit } from '../rules/match-rules.ts';
import { type Detector, type DetectorRow, pushMatches } from './detector.ts';
import { isFenced } from './fences.ts';
import { isData } from './slot-roles.ts';

const PIECE = 1_200;
const OVERLAP = 300;
/** Words that begin code if a sign follows. */
export const CODE_WORDS = ['eval', 'javascript'];
const TAG =
  '<(?:script|img|svg|iframe|body|input|video|audio|details|object|embed|math|form|a|div)\\b|document\\.write|fromcharcode';
/** The beginnings of all matches of markup rules; nothing else is read. */
const BEGINS = new RegExp(`!\\[[^\\]\\n]{0,200}\\]\\(http|${TAG}|\\beval ?\\(|javascript ?:`, 'gi');
/** The same in a word of the original text, whose image may continue. */
const MARKUP_BEGINS = new RegExp(`!\\[|${TAG}|\\beval\\s?\\(|javascript\\s?:`);

const matchMarkup = createMatcher(RULE_SETS.markup);
const matchAnswer = createMatcher(RULE_SETS.answers);

/**
 * In responses and in data: text that does harm where it is displayed, such as a script that reads cookies. In
 * responses also forms that send passwords to another site, and disclosed instructions. Text in code blocks does not
 * run, so its confidence is halved.
 */
const detectActiveContent: Detector = (view, findings) => {
  const isAnswer = view.direction === 'output' && view.slot.role !== 'tool_call';
  if (!isAnswer && !isData(view.slot)) return;
  const { text } = view.cleaned;
  const hits: RuleHit[] = isAnswer ? matchInPieces(matchAnswer, view.text, PIECE, OVERLAP) : [];
  for (let begin = matchAt(BEGINS, text, 0); begin !== null; ) {
    const end = Math.min(text.length, begin.index + PIECE);
    matchMarkup(text, begin.index, end, hits);
    if (end === text.length) break;
    begin = matchAt(BEGINS, text, Math.max(begin.index + begin[0].length, end - OVERLAP));
  }
  pushMatches(view, hits, findings, (hit) => (isFenced(text, hit.start) ? ATTACK.fencedShare : 1));
};

export const ACTIVE_CONTENT = {
  detect: detectActiveContent,
  // rules run on pieces that begin at the tags before
  reach: [{ sign: MARKUP_BEGINS, before: 0, after: Number.POSITIVE_INFINITY, ends: 'with the text' }],
} as const satisfies DetectorRow;
