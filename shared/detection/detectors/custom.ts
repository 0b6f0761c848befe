import { type Detector, place } from './detector.ts';

/** Detects matches of customers' policies: also in the developer's texts, but not in credentials. */
export const detectCustom: Detector = (view, findings) => {
  const { custom } = view.ruleset;
  if (custom === null || view.slot.role === 'credential') return;
  for (const { start, end, ...hit } of custom.find(view.cleaned.text)) {
    findings.push({ ...place(view, start, end), type: 'custom_policy', confidence: 1, ...hit });
  }
};
