import type { Span, TextSlot } from '../text/index.ts';
import { isData } from './detectors/detector.ts';
import type { Finding } from './types.ts';

/** The untrusted data that a finding stands in; null if it stands in somebody's own words. */
export function untrustedScope(finding: Pick<Finding, 'passage' | 'rule'>, slot: TextSlot): Span | null {
  if (finding.passage !== undefined) return finding.passage;
  const isPoisonedTool = finding.rule === 'tool.poisoned-description';
  return isData(slot) || isPoisonedTool ? { start: 0, end: slot.text.length } : null;
}
