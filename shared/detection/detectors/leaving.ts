import { matchRules, type RuleHit } from '../rules/match-rules.ts';
import { type Detector, place } from './detector.ts';

const PIECE = 600;
const OVERLAP = 200;

/** In answers: text that would do harm on its way out, such as an image whose address carries data. */
export const detectLeaving: Detector = (view, findings) => {
  if (view.direction !== 'output') return;
  const { text } = view.cleaned;
  // all output rules begin with an image or a script; nothing else is read
  if (!text.includes('](http') && !text.includes('<script') && !text.includes('<img')) return;
  const hits: RuleHit[] = [];
  for (let at = 0; at < text.length; at += PIECE - OVERLAP) {
    matchRules(text, at, Math.min(text.length, at + PIECE), hits);
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
