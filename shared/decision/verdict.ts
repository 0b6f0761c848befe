import {
  type DecidedBy,
  type Decision,
  type PolicyAction,
  type PolicyPiiType,
  STRICTNESS,
  type ThreatDetail,
  type ThreatType,
} from '../contract/index.ts';
import { type Finding, mergeWithheld, union, WITHHELD } from '../detection/index.ts';
import type { Flow, PolicyFlow } from '../flow-control/index.ts';
import type { UnreadPart } from '../providers/index.ts';
import {
  mapping,
  pausing,
  type Replacement,
  type Span,
  type Steps,
  withoutOverlapsInSteps,
} from '../text/index.ts';
import type { Hold } from './calls.ts';
import type { ServiceVerdict } from './facts.ts';

/** What is done about a finding; `withhold` removes the passage that contains it. */
export type Action = PolicyAction | 'withhold';

/** A finding at or above its threshold, and what is done about it. */
export interface Judged {
  readonly finding: Finding;
  readonly action: Action;
  /** The policy that decides; null: the preset does. */
  readonly policyId: string | null;
  /** The policy or setting that decides; null: the preset does. */
  readonly by: DecidedBy | null;
  /** Set if an allowed text or an exception lets it pass. */
  readonly isLifted?: boolean;
}

/** The decision about texts and tool calls, and what it rests on. */
export interface Verdict {
  readonly decision: Decision;
  /** Confidence of the deciding threat; 0 if nothing was found. */
  readonly confidence: number;
  readonly threatType: ThreatType | null;
  /** The deciding threat first, of the rest the strongest first. */
  readonly threats: readonly ThreatDetail[];
  /** The policy or setting that decided; absent: the preset. */
  readonly decidedBy?: DecidedBy;
  /** On a device: the verdict of the service that decided. */
  readonly ofService?: ServiceVerdict;
  /** The findings at or above their threshold, for the record. */
  readonly findings: readonly Finding[];
  readonly judged: readonly Judged[];
  /** The first slot, in the order of the body, that is blocked by itself; only if decision is `block`. */
  readonly blockedSlot?: number;
  /** Replacements per slot index; only if decision is `redact`. */
  readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
  /** What was masked, if that does not follow from the findings. */
  readonly masked?: Masked;
  /** The exceptions that changed it. */
  readonly exceptionIds?: readonly string[];
  /** What they let pass. */
  readonly excepted?: readonly Excepted[];
  /** The part that could not be read, if that decided. */
  readonly unread?: UnreadPart;
  /** Values of tool calls that occur only in untrusted data, whatever the project's action for them is. */
  readonly flows?: readonly Flow[];
  /** Tool calls that match policies. */
  readonly policyFlows?: readonly PolicyFlow[];
  /** What speaks against tool calls, the strictest first; absent: there are none. */
  readonly holds?: readonly Hold[];
  /** The verdict on the texts of the calls, if there are calls. */
  readonly ofTexts?: Pick<Verdict, 'decision' | 'confidence' | 'threats'>;
  /** Review of the tool call that blocks; `isRequired`: true until a person has decided. */
  readonly review?: {
    /** Null: too many calls wait, so that this one has none. */
    readonly id: string | null;
    readonly isRequired: boolean;
    readonly deniedBecause: string | null;
  };
}

/** The types of masked data, and how many values. */
export interface Masked {
  readonly types: readonly PolicyPiiType[];
  readonly count: number;
}

/** A finding that an exception let pass, and the policy that would decide; null: the preset would. */
export interface Excepted {
  readonly finding: Finding;
  readonly policyId: string | null;
  readonly exceptionId: string;
}

const NO_REPLACEMENTS: Verdict['replacements'] = new Map();

/** The verdict on a text without findings, or on one that was not read. */
export const EMPTY_VERDICT: Verdict = {
  decision: 'allow',
  confidence: 0,
  threatType: null,
  threats: [],
  findings: [],
  judged: [],
  replacements: NO_REPLACEMENTS,
};

const SEVERITY: Readonly<Record<Action, number>> = { allow: 0, monitor: 1, redact: 2, withhold: 3, block: 4 };

/** True if a finding changes what happens; else it is only reported. */
export function isActedOn({ action }: Pick<Judged, 'action'>): boolean {
  return SEVERITY[action] > SEVERITY.monitor;
}

/** Block takes precedence over redact, redact over allow. Withholding counts as redaction. */
export function* verdictOf(judged: readonly Judged[]): Steps<Verdict> {
  const deciding = decidingOf(judged);
  if (deciding === undefined) return EMPTY_VERDICT;
  const decision = decisionOf(deciding.action);
  const findings = yield* mapping(judged, ({ finding, action }) =>
    action === 'withhold' ? { ...finding, isWithheld: true } : finding,
  );
  return {
    decision,
    confidence: rounded(deciding.finding.confidence),
    threatType: deciding.finding.type,
    threats: threatsOf(findings),
    ...(deciding.by !== null && { decidedBy: deciding.by }),
    findings,
    judged,
    ...(decision === 'block' && { blockedSlot: blockedSlotOf(judged) }),
    replacements:
      decision === 'redact'
        ? yield* replacementsOf(findings.filter((_, at) => isMaskedBy(judged[at]!.action)))
        : NO_REPLACEMENTS,
  };
}

/** A stricter decision, and what takes it. */
export interface Tightening {
  readonly decision: 'redact' | 'block';
  readonly type: ThreatType;
  /** For a person; without the matched text. */
  readonly reason: string;
  /** Absent: the preset. */
  readonly by: DecidedBy | undefined;
  readonly confidence?: number;
  /** Findings that come with it. */
  readonly findings?: readonly Finding[];
  /** For `redact`: all replacements, those of the verdict included. */
  readonly replacements?: Verdict['replacements'];
}

/** Makes a verdict stricter. Where it is as strict already, the threat is reported behind those that decided. */
export function tighten(verdict: Verdict, change: Tightening): Verdict {
  const { decision, type, reason, by, confidence = 1, findings = [], replacements } = change;
  const threat = { type, confidence, details: reason };
  const found = findings.length === 0 ? verdict.findings : [...verdict.findings, ...findings];
  if (STRICTNESS[decision] <= STRICTNESS[verdict.decision]) {
    return {
      ...verdict,
      threats: [...verdict.threats, threat],
      findings: found,
      replacements: verdict.decision === 'redact' ? (replacements ?? verdict.replacements) : NO_REPLACEMENTS,
    };
  }
  const { decidedBy: _, ofService: _service, ...rest } = verdict;
  return {
    ...rest,
    decision,
    confidence,
    threatType: type,
    ...(by !== undefined && { decidedBy: by }),
    // The deciding threat comes first, because clients see its reason.
    threats: [threat, ...verdict.threats],
    findings: found,
    replacements: decision === 'redact' ? (replacements ?? verdict.replacements) : NO_REPLACEMENTS,
  };
}

/** Findings that no longer decide, and what lifts them. */
export interface Lift {
  readonly by: DecidedBy;
  readonly which: (finding: Finding, policyId: string | null) => boolean;
}

/** Makes a verdict milder: some of its findings are reported only; the others decide as before. */
export function* lift(verdict: Verdict, { by, which }: Lift): Steps<Verdict> {
  const isLifted = (one: Judged): boolean => isActedOn(one) && which(one.finding, one.policyId);
  const judged = yield* mapping(
    verdict.judged,
    (one): Judged => (isLifted(one) ? { ...one, action: 'monitor', isLifted: true } : one),
  );
  const lifted = yield* verdictOf(judged);
  return lifted.decision === verdict.decision ? lifted : { ...lifted, decidedBy: by };
}

/** Returns the finding with the most severe action; of several the most confident, of equals the first. */
function decidingOf(judged: readonly Judged[]): Judged | undefined {
  let deciding: Judged | undefined;
  for (const one of judged) {
    const harder = deciding === undefined ? 1 : SEVERITY[one.action] - SEVERITY[deciding.action];
    const isSurer = one.finding.confidence > (deciding?.finding.confidence ?? 0);
    if (harder > 0 || (harder === 0 && isSurer)) deciding = one;
  }
  return deciding;
}

function blockedSlotOf(judged: readonly Judged[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { action, finding } of judged) if (action === 'block') first = Math.min(first, finding.slot);
  return first;
}

const isMaskedBy = (action: Action): boolean => action === 'redact' || action === 'withhold';

function decisionOf(action: Action): Decision {
  if (action === 'block') return 'block';
  return isMaskedBy(action) ? 'redact' : 'allow';
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

function* replacementsOf(findings: readonly Finding[]): Steps<Verdict['replacements']> {
  const bySlot = new Map<number, Finding[]>();
  yield* pausing(findings, (finding) => {
    const list = bySlot.get(finding.slot);
    if (list === undefined) bySlot.set(finding.slot, [finding]);
    else list.push(finding);
  });
  const replacements = new Map<number, readonly Replacement[]>();
  for (const [slot, list] of bySlot) {
    replacements.set(slot, yield* replacementsIn(list));
    yield;
  }
  return replacements;
}

/** A replacement that overlaps a withheld passage becomes part of it. */
function* replacementsIn(findings: readonly Finding[]): Steps<readonly Replacement[]> {
  const withheld = mergeWithheld(
    findings.flatMap((finding) => (finding.isWithheld === true ? (finding.withheld ?? []) : [])),
  );
  const touched: Span[] = [];
  const placeholders: Replacement[] = [];
  yield* pausing(findings, ({ isWithheld, start, end, placeholder }) => {
    if (isWithheld === true) return;
    if (touches(withheld, start, end)) touched.push({ start, end });
    else placeholders.push({ start, end, text: placeholder ?? '[REDACTED]' });
  });
  const passages = union([...withheld, ...touched]).map((span) => ({ ...span, text: WITHHELD }));
  return yield* withoutOverlapsInSteps([...passages, ...placeholders]);
}

/** Whether one of the spans, which are in order and disjoint, overlaps a range. */
function touches(spans: readonly Span[], start: number, end: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.end <= start) low = middle + 1;
    else high = middle;
  }
  return low < spans.length && spans[low]!.start < end;
}

/** Rounds to four decimal places, so that headers and body report the same number. */
function rounded(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000;
}
