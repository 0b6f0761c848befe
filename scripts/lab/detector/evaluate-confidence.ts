import { compileRuleset, scan, Workspace } from '../../../shared/detection/index.ts';
import type { SlotRole } from '../../../shared/text/index.ts';

/** A text and whether it is an attack. */
export interface LabelledText {
  readonly text: string;
  readonly role: SlotRole;
  readonly label: 0 | 1;
}

/** The texts with a confidence within one tenth. */
export interface ConfidenceBin {
  readonly from: number;
  readonly harmless: number;
  readonly attacks: number;
  /** Mean of the confidences, which should equal the observed share of attacks. */
  readonly expected: number;
  readonly observed: number;
  /** The difference between the two; null: too few texts. */
  readonly error: number | null;
}

export interface ConfidenceReport {
  readonly bins: readonly ConfidenceBin[];
  /** Number of texts with a confidence of .99, and of harmless ones among them. */
  readonly nearCertain: { readonly total: number; readonly wrong: number };
}

/** Below this number a share is not meaningful. */
export const MIN_BIN = 50;
const TENTHS = 10;
/** Rounds to .99. */
const NEAR_CERTAIN_FROM = 0.985;

/** Measures the reliability of the highest attack confidence in each text. */
export function evaluateConfidence(texts: readonly LabelledText[]): ConfidenceReport {
  const confidenceOf = createConfidenceReader();
  const sums = Array.from({ length: TENTHS }, () => ({ harmless: 0, attacks: 0, confidence: 0 }));
  const nearCertain = { total: 0, wrong: 0 };
  for (const text of texts) {
    const confidence = confidenceOf(text);
    const bin = sums[Math.min(TENTHS - 1, Math.floor(confidence * TENTHS))]!;
    if (text.label === 1) bin.attacks++;
    else bin.harmless++;
    bin.confidence += confidence;
    if (confidence < NEAR_CERTAIN_FROM) continue;
    nearCertain.total++;
    if (text.label === 0) nearCertain.wrong++;
  }
  const bins = sums.map(({ harmless, attacks, confidence }, at) => {
    const total = harmless + attacks;
    const [expected, observed] = total === 0 ? [0, 0] : [confidence / total, attacks / total];
    const error = total < MIN_BIN ? null : Math.abs(expected - observed);
    return { from: at / TENTHS, harmless, attacks, expected, observed, error };
  });
  return { bins, nearCertain };
}

function createConfidenceReader(): (text: LabelledText) => number {
  const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
  const workspace = new Workspace();
  const isAttack = ({ type }: { readonly type: string }): boolean =>
    type !== 'pii_leak' && type !== 'secret_leak' && type !== 'hidden_content';
  return ({ text, role }) =>
    scan([{ path: '/messages/0/content', role, text }], ruleset, 'input', { workspace })
      .filter(isAttack)
      .reduce((highest, { confidence }) => Math.max(highest, confidence), 0);
}
