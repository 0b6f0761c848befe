import type { ThreatType } from '../../contract/index.ts';
import { INVISIBLE } from '../normalize/fold-code.ts';
import { reversed } from '../normalize/letter-shifts.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import { readAttacks } from './attacks.ts';
import { type Detector, type DetectorRow, place, type SlotView } from './detector.ts';

const MAX_TURNED = 8;
const MAX_LENGTH = 8_192;

/**
 * Detects text in invisible characters, and text that a direction mark displays in reverse. Invisible text is a finding
 * by itself, and a strong one if it contains instructions; reversed text only if it does.
 */
const detectHidden: Detector = (view, findings) => {
  const { smuggled, smuggledAt, smuggledEnd, text, turned } = view.cleaned;
  if (smuggled !== '') {
    const where = { slot: view.index, start: smuggledAt, end: smuggledEnd };
    const order = orderIn(smuggled, view);
    findings.push({
      ...where,
      type: 'hidden_content',
      rule: 'hidden.invisible-text',
      confidence: order === undefined ? ATTACK.hiddenText : ATTACK.hiddenTextWithOrder,
      reason: 'Contains text in invisible characters.',
    });
    if (order !== undefined)
      findings.push({
        ...where,
        type: order,
        rule: 'hidden.invisible-order',
        confidence: ATTACK.hiddenOrderInText,
        reason: 'Contains instructions in invisible characters.',
      });
  }
  for (const [start, end] of turned.slice(0, MAX_TURNED)) {
    const shown = reversed(text.slice(start, Math.min(end, start + MAX_LENGTH)), view.workspace);
    const order = orderIn(shown, view);
    if (order === undefined) continue;
    findings.push({
      ...place(view, start, end),
      type: order,
      rule: 'hidden.turned-order',
      confidence: ATTACK.turnedOrder,
      reason: 'Contains instructions that a direction mark reverses.',
    });
  }
};

export const HIDDEN = {
  detect: detectHidden,
  reach: [{ sign: INVISIBLE, before: 0, after: Number.POSITIVE_INFINITY, ends: 'with the text' }],
} as const satisfies DetectorRow;

/** Returns the type of attack in a text, if there is one. */
function orderIn(text: string, { workspace }: SlotView): ThreatType | undefined {
  const { evaluation, hits } = workspace.withText(text, (read) => readAttacks(read, false, workspace));
  if (hits.length > 0) return hits[0]!.rule.type;
  return evaluation !== undefined && evaluation.confidence >= ATTACK.hiddenOrder
    ? evaluation.type
    : undefined;
}
