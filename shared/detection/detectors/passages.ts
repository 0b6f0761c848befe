import { CHANCE_CODES } from '../normalize/decode.ts';
import { originalRange } from '../normalize/normalize-text.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import { NOT_IN_RESPONSES } from '../reach.ts';
import type { Finding } from '../types.ts';
import { ACTIVE_CONTENT } from './active-content.ts';
import { ATTACKS } from './attacks.ts';
import type { Detector, DetectorRow, SlotView } from './detector.ts';
import { EMBEDDED_INSTRUCTIONS } from './embedded-instructions.ts';

const ROWS: readonly DetectorRow[] = [ATTACKS, EMBEDDED_INSTRUCTIONS, ACTIVE_CONTENT];
const CHANCE_RULES: ReadonlySet<string> = new Set([...CHANCE_CODES].map((code) => `model.decoded-${code}`));

/**
 * Reads passages that the developer or the user marked as a document like a document; only the outermost mark counts.
 */
const detectInPassages: Detector = (view, findings) => {
  if (view.direction === 'output') return;
  for (const { start, end } of view.passages) {
    const found: Finding[] = [];
    const inside = view.cleaned.text.slice(start, end);
    view.workspace.withText(inside, (text) => {
      const passage: SlotView = {
        ...view,
        slot: { ...view.slot, role: 'document' },
        cleaned: { ...view.cleaned, text: inside },
        text,
        base: start,
        penalty: ATTACK.passagePenalty,
      };
      for (const { detect } of ROWS) detect(passage, found);
    });
    const passage = originalRange(view.cleaned, start, end);
    for (const finding of found)
      if (finding.confidence >= ATTACK.passageLeast && !CHANCE_RULES.has(finding.rule))
        findings.push({ ...finding, passage });
  }
};

export const PASSAGES = { detect: detectInPassages, reach: NOT_IN_RESPONSES } as const satisfies DetectorRow;
