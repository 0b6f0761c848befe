import type { Decision, ThreatType } from '@csg/shared/contract';
import type { Replacement } from '@csg/shared/text';
import type { DeviceVerdict } from './decide-texts.ts';
import type { DecisionEvent, DecisionReason, EventFinding } from './decision-event.ts';
import type { RequestReading } from './request-reading.ts';

/** A verdict, its author and its reason. The policy decides what happens next. */
export interface Evaluation {
  readonly decision: Decision;
  readonly by: DecisionEvent['decidedBy'];
  readonly eventId: string;
  readonly threatType: ThreatType | null;
  readonly confidence: number;
  readonly findings: readonly EventFinding[];
  readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
  readonly reason: DecisionReason | null;
  readonly note: string | null;
  readonly exceptionId: string | null;
}

/** The service's limit for an event. */
const MAX_FINDINGS = 100;
const MAX_PATH = 256;

interface EvaluatedFacts {
  readonly reading: Pick<RequestReading, 'format' | 'slots'>;
  readonly newEventId: string;
}

/** Converts a verdict of the engine on the device to an evaluation. */
export function evaluationOf({ verdict, exceptionId }: DeviceVerdict, facts: EvaluatedFacts): Evaluation {
  const { format, slots } = facts.reading;
  return {
    decision: verdict.decision,
    by: 'device',
    eventId: facts.newEventId,
    threatType: verdict.threatType,
    confidence: verdict.confidence,
    findings: verdict.findings.slice(0, MAX_FINDINGS).map(({ slot, rule, type, start, end, confidence }) => {
      const path = format === null ? '' : (slots[slot]?.path ?? '').slice(0, MAX_PATH);
      return { rule, type, path: path.startsWith('#') ? '' : path, start, end, confidence };
    }),
    replacements: verdict.replacements,
    reason: exceptionId === null ? null : 'exception',
    note: null,
    exceptionId,
  };
}

/** Returns a decision of the device, allow unless `part` says otherwise. */
export function deviceEvaluation(
  facts: Pick<EvaluatedFacts, 'newEventId'>,
  part: Partial<Evaluation>,
): Evaluation {
  return {
    decision: 'allow',
    by: 'device',
    eventId: facts.newEventId,
    threatType: null,
    confidence: 0,
    findings: [],
    replacements: new Map(),
    reason: null,
    note: null,
    exceptionId: null,
    ...part,
  };
}
