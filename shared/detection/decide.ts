import type { Decision, Direction, PolicyAction, ThreatDetail, ThreatType } from '../contract/index.ts';
import { type Replacement, withoutOverlaps } from '../text/index.ts';
import { decideFinding, type Ruleset } from './ruleset.ts';
import type { Finding, Verdict } from './types.ts';

/** Of a text in which nothing was found, or none was read. */
export const EMPTY_VERDICT: Verdict = {
  decision: 'allow',
  confidence: 0,
  threatType: null,
  threats: [],
  findings: [],
  replacements: new Map(),
};

const SEVERITY: Readonly<Record<PolicyAction, number>> = { allow: 0, monitor: 1, redact: 2, block: 3 };

/**
 * Findings + policy -> what to do. Block beats redact beats allow; monitored threats are listed and let through, and
 * so are those that `isExcused`: an exception names them.
 */
export function decide(
  findings: readonly Finding[],
  ruleset: Ruleset,
  direction: Direction,
  isExcused: (finding: Finding, policyId: string | null) => boolean = () => false,
): Verdict {
  if (findings.length === 0) return EMPTY_VERDICT;
  const rules = ruleset[direction];
  const counted: Finding[] = [];
  const redacted: Finding[] = [];
  let deciding: Finding | undefined;
  let decidingAction: PolicyAction = 'allow';
  const strongest = new Map<ThreatType, Finding>();
  for (const finding of findings) {
    const decided = decideFinding(rules, finding);
    let { action } = decided;
    if (action === 'allow' || finding.confidence < (rules.thresholds.get(finding.type) ?? 1)) continue;
    if (SEVERITY[action] > SEVERITY.monitor && isExcused(finding, decided.policyId)) action = 'monitor';
    counted.push(finding);
    if (action === 'redact') redacted.push(finding);
    const known = strongest.get(finding.type);
    if (known === undefined || finding.confidence > known.confidence) strongest.set(finding.type, finding);
    const harder = SEVERITY[action] - SEVERITY[decidingAction];
    if (deciding === undefined || harder > 0 || (harder === 0 && finding.confidence > deciding.confidence)) {
      deciding = finding;
      decidingAction = action;
    }
  }
  if (deciding === undefined) return EMPTY_VERDICT;
  const decision: Decision =
    decidingAction === 'block' ? 'block' : decidingAction === 'redact' ? 'redact' : 'allow';
  const threats: ThreatDetail[] = [...strongest.values()]
    .sort((a, b) => b.confidence - a.confidence)
    .map((finding) => ({
      type: finding.type,
      confidence: rounded(finding.confidence),
      details: finding.reason,
    }));
  return {
    decision,
    confidence: rounded(deciding.confidence),
    threatType: deciding.type,
    threats,
    findings: counted,
    replacements: decision === 'redact' ? replacementsOf(redacted) : EMPTY_VERDICT.replacements,
  };
}

function replacementsOf(findings: readonly Finding[]): ReadonlyMap<number, readonly Replacement[]> {
  const bySlot = new Map<number, Replacement[]>();
  for (const finding of findings) {
    const list = bySlot.get(finding.slot) ?? [];
    list.push({ start: finding.start, end: finding.end, text: finding.placeholder ?? '[REDACTED]' });
    bySlot.set(finding.slot, list);
  }
  return new Map([...bySlot].map(([slot, list]) => [slot, withoutOverlaps(list)]));
}

/** Four digits: what the headers tell and what the body tells are then the same number. */
function rounded(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000;
}
