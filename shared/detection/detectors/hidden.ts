import { readAttacks } from './attacks.ts';
import type { Detector } from './detector.ts';

const ATTACK = 0.5;

/** Text carried by characters nobody sees: a finding by itself, and a strong one when it holds orders. */
export const detectHidden: Detector = (view, findings) => {
  const { smuggled, smuggledAt } = view.cleaned;
  if (smuggled === '') return;
  const where = { slot: view.index, start: smuggledAt, end: view.slot.text.length };
  const { judgement, hits } = readAttacks(smuggled, false);
  const rule = hits[0]?.rule;
  const isAttack = rule !== undefined || (judgement !== undefined && judgement.confidence >= ATTACK);
  findings.push({
    ...where,
    type: 'hidden_content',
    rule: 'hidden.invisible-text',
    confidence: isAttack ? 0.98 : 0.85,
    reason: 'Carries text in invisible characters.',
  });
  if (!isAttack) return;
  findings.push({
    ...where,
    type: rule?.type ?? judgement?.type ?? 'prompt_injection',
    rule: 'hidden.invisible-order',
    confidence: 0.97,
    reason: 'Gives orders in invisible characters.',
  });
};
