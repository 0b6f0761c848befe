import type {
  DecidedBy,
  Decision,
  Direction,
  PolicyAction,
  ThreatDetail,
  ThreatType,
  UntrustedData,
} from '../contract/index.ts';
import { type Replacement, type Span, withoutOverlaps } from '../text/index.ts';
import { type DirectionRules, decideFinding, type Ruleset, thresholdOf } from './ruleset.ts';
import type { Finding, Verdict } from './types.ts';
import { mergeWithheld, union, WITHHELD } from './withheld-ranges.ts';

/** The verdict on a text without findings, or on one that was not read. */
export const EMPTY_VERDICT: Verdict = {
  decision: 'allow',
  confidence: 0,
  threatType: null,
  threats: [],
  findings: [],
  replacements: new Map(),
};

/** What is done about a finding; `withhold` removes the passage that contains it. */
type Action = PolicyAction | 'withhold';

const SEVERITY: Readonly<Record<Action, number>> = { allow: 0, monitor: 1, redact: 2, withhold: 3, block: 4 };

export interface DecideOptions {
  /** True if an exception covers the finding: it is reported and allowed. */
  readonly isExcused?: (finding: Finding, policyId: string | null) => boolean;
  /** The project's action for attacks in untrusted data, if no policy decides. */
  readonly untrustedData?: UntrustedData;
}

/**
 * Decides what to do about the findings. Block takes precedence over redact, redact over allow. Monitored threats and
 * those that an exception covers are listed and allowed. Withholding counts as redaction.
 */
export function decide(
  findings: readonly Finding[],
  ruleset: Ruleset,
  direction: Direction,
  { isExcused = () => false, untrustedData = 'block' }: DecideOptions = {},
): Verdict {
  if (findings.length === 0) return EMPTY_VERDICT;
  const rules = ruleset[direction];
  const counted = findings.flatMap((finding) => countedOf(finding, rules, isExcused, untrustedData) ?? []);
  const deciding = decidingOf(counted);
  if (deciding === undefined) return EMPTY_VERDICT;
  const { confidence, type } = deciding.finding;
  const decidedBy = deciderOf(deciding.finding, deciding.decided);
  const decision = decisionOf(deciding.action);
  return {
    decision,
    confidence: rounded(confidence),
    threatType: type,
    threats: threatsOf(counted.map(({ finding }) => finding)),
    ...(decidedBy !== null && { decidedBy }),
    findings: counted.map(({ finding }) => finding),
    ...(decision === 'block' && { blockedSlot: blockedSlotOf(counted) }),
    replacements: decision === 'redact' ? replacementsOf(redactedOf(counted)) : EMPTY_VERDICT.replacements,
  };
}

/** A finding at or above its threshold, and what is done about it. */
interface Counted {
  readonly finding: Finding;
  readonly action: Action;
  readonly decided: ReturnType<typeof decideFinding>;
}

/** Returns null if the finding is allowed or below its threshold. */
function countedOf(
  finding: Finding,
  rules: DirectionRules,
  isExcused: NonNullable<DecideOptions['isExcused']>,
  untrustedData: UntrustedData,
): Counted | null {
  const decided = decideFinding(rules, finding);
  const action = actionFor(finding, decided, untrustedData);
  if (action === 'allow' || finding.confidence < thresholdOf(rules, finding.type, decided.policyId))
    return null;
  if (SEVERITY[action] > SEVERITY.monitor && isExcused(finding, decided.policyId))
    return { finding, action: 'monitor', decided };
  return { finding: action === 'withhold' ? { ...finding, isWithheld: true } : finding, action, decided };
}

/** Returns the finding with the most severe action; of several the most confident, of equals the first. */
function decidingOf(counted: readonly Counted[]): Counted | undefined {
  let deciding: Counted | undefined;
  for (const one of counted) {
    const harder = deciding === undefined ? 1 : SEVERITY[one.action] - SEVERITY[deciding.action];
    const isSurer = one.finding.confidence > (deciding?.finding.confidence ?? 0);
    if (harder > 0 || (harder === 0 && isSurer)) deciding = one;
  }
  return deciding;
}

function blockedSlotOf(counted: readonly Counted[]): number {
  return Math.min(...counted.filter(({ action }) => action === 'block').map(({ finding }) => finding.slot));
}

function redactedOf(counted: readonly Counted[]): Finding[] {
  return counted
    .filter(({ action }) => action === 'redact' || action === 'withhold')
    .map(({ finding }) => finding);
}

function decisionOf(action: Action): Decision {
  if (action === 'block') return 'block';
  return SEVERITY[action] > SEVERITY.monitor ? 'redact' : 'allow';
}

/** Returns the strongest finding of each type, the strongest first. */
function threatsOf(findings: readonly Finding[]): ThreatDetail[] {
  const strongest = new Map<ThreatType, Finding>();
  for (const finding of findings) {
    const known = strongest.get(finding.type);
    if (known === undefined || finding.confidence > known.confidence) strongest.set(finding.type, finding);
  }
  return [...strongest.values()]
    .sort((a, b) => b.confidence - a.confidence)
    .map(({ type, confidence, reason }) => ({ type, confidence: rounded(confidence), details: reason }));
}

/**
 * A policy that redacts attacks withholds them in untrusted data. If only the preset blocks, the project's setting
 * decides.
 */
function actionFor(
  { withheld }: Finding,
  { action, policyId }: { readonly action: PolicyAction; readonly policyId: string | null },
  untrustedData: UntrustedData,
): Action {
  if (withheld === undefined) return action;
  if (action === 'redact') return 'withhold';
  return action === 'block' && policyId === null ? untrustedData : action;
}

/** Returns null if the preset decides. */
function deciderOf(
  { withheld }: Finding,
  { action, policyId }: { readonly action: PolicyAction; readonly policyId: string | null },
): DecidedBy | null {
  if (policyId !== null) return { kind: 'policy', id: policyId };
  return withheld !== undefined && action === 'block' ? { kind: 'setting', id: 'untrusted_data' } : null;
}

function replacementsOf(findings: readonly Finding[]): ReadonlyMap<number, readonly Replacement[]> {
  const bySlot = new Map<number, Finding[]>();
  for (const finding of findings) {
    const list = bySlot.get(finding.slot);
    if (list === undefined) bySlot.set(finding.slot, [finding]);
    else list.push(finding);
  }
  return new Map([...bySlot].map(([slot, list]) => [slot, replacementsIn(list)]));
}

/** A replacement that overlaps a withheld passage becomes part of it. */
function replacementsIn(findings: readonly Finding[]): readonly Replacement[] {
  const withheld = mergeWithheld(
    findings.flatMap((finding) => (finding.isWithheld === true ? (finding.withheld ?? []) : [])),
  );
  const placeholders = findings
    .filter(({ isWithheld }) => isWithheld !== true)
    .map(({ start, end, placeholder }) => ({ start, end, text: placeholder ?? '[REDACTED]' }));
  const touches = (one: Span): boolean =>
    withheld.some(({ start, end }) => start < one.end && one.start < end);
  const passages = union([...withheld, ...placeholders.filter(touches)]);
  return withoutOverlaps([
    ...passages.map((span) => ({ ...span, text: WITHHELD })),
    ...placeholders.filter((one) => !touches(one)),
  ]);
}

/** Rounds to four decimal places, so that headers and body report the same number. */
function rounded(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000;
}
