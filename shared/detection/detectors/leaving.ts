import { matchRules, type RuleHit } from '../rules/match-rules.ts';
import { type Detector, isData, place } from './detector.ts';

const PIECE = 600;
const OVERLAP = 200;
/** What output rules begin with; nothing else is read. */
const BEGINS = /!\[[^\]\n]{0,60}\]\(http|<(?:script|img|svg|iframe|body)\b/gi;

/** In answers and in data: text that does harm where it is shown, such as an image whose address carries data. */
export const detectLeaving: Detector = (view, findings) => {
  if (view.direction !== 'output' && !isData(view.slot)) return;
  const { text } = view.cleaned;
  const hits: RuleHit[] = [];
  BEGINS.lastIndex = 0;
  for (let begin = BEGINS.exec(text); begin !== null; begin = BEGINS.exec(text)) {
    const end = Math.min(text.length, begin.index + PIECE);
    matchRules(text, begin.index, end, hits);
    if (end === text.length) break;
    BEGINS.lastIndex = Math.max(BEGINS.lastIndex, end - OVERLAP);
  }
  for (const { rule, start, end } of hits) {
    if (rule.output !== true) continue;
    findings.push({
      ...place(view, start, end),
      type: rule.type,
      rule: rule.id,
      confidence: rule.confidence,
      reason: rule.reason,
    });
  }
};
