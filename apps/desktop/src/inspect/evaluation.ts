import type { Decision, ThreatType } from '@csg/shared/contract';
import type { Verdict } from '@csg/shared/decision';
import { isHeaderText } from '@csg/shared/providers';
import type { Replacement, TextSlot } from '@csg/shared/text';
import type { DeviceVerdict } from './decide-texts.ts';
import type { DecisionEvent, DecisionReason, EventFinding } from './decision-event.ts';
import type { Exchange } from './exchange-facts.ts';
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
      return { rule, type, path: pathOf(format, slots[slot]), start, end, confidence };
    }),
    replacements: verdict.replacements,
    reason: exceptionId === null ? null : 'exception',
    note: null,
    exceptionId,
  };
}

/** Names in other bodies may be a user's own words; those of headers are a program's. */
function pathOf(format: RequestReading['format'], slot: TextSlot | undefined): string {
  if (slot === undefined || slot.path.startsWith('#')) return '';
  return format === null && !isHeaderText(slot) ? '' : slot.path.slice(0, MAX_PATH);
}

/** Tells who of policy, service and device decided about a request or a response, and why. */
export function exchangeEvaluation(verdict: Verdict, exchange: Exchange, facts: EvaluatedFacts): Evaluation {
  const own = evaluationOf({ verdict, exceptionId: verdict.exceptionIds?.[0] ?? null }, facts);
  const { refused, unread } = exchange;
  const byPolicy = { by: 'policy', eventId: facts.newEventId } as const;
  if (verdict.unread !== undefined)
    return { ...own, ...byPolicy, reason: 'unread', note: `It could not be read: ${unread?.detail}` };
  if (verdict.decision === 'block' && verdict.decidedBy?.id === 'signed_content')
    return { ...own, ...byPolicy, reason: 'unwritable', note: verdict.threats[0]?.details ?? null };
  if (refused?.exceptionId === null)
    return { ...own, ...byPolicy, reason: refused.why, note: refused.reason };
  const evaluation = evaluationBy(own, verdict, exchange, byPolicy);
  if (unread === null || verdict.decision === 'block') return evaluation;
  // The service has recorded its evaluation, but does not know that a part was not read.
  const by = evaluation.by === 'cloud' ? byPolicy : {};
  return { ...evaluation, ...by, reason: 'unread', note: `Allowed without being read: ${unread.detail}` };
}

/** The service does not know of an exception for a blocked tool: the device reports that it was used. */
function evaluationBy(
  own: Evaluation,
  verdict: Verdict,
  exchange: Exchange,
  byPolicy: Pick<Evaluation, 'by' | 'eventId'>,
): Evaluation {
  const { refused } = exchange;
  if (refused !== null && verdict.decision === 'allow') return { ...own, ...byPolicy, note: refused.reason };
  return exchange.isReadHere ? onDevice(own, exchange) : onService(own, verdict, exchange);
}

/** The service has recorded its own part; the device reports every decision that it took part in. */
function onDevice(own: Evaluation, { service, silence, isTooLarge }: Exchange): Evaluation {
  if (own.decision === 'block' && silence !== null && service.blockedBefore !== null && own.reason === null) {
    const note = `The service gave no verdict (${silence}) but has blocked this before.`;
    return { ...own, reason: 'offline', note };
  }
  const excepted = own.decision === 'block' ? null : exceptionOf(service);
  const exceptionId = own.exceptionId ?? excepted;
  if (own.reason !== null) return { ...own, exceptionId };
  if (silence !== null) {
    const note = `The service gave no verdict (${silence}); the device decided.`;
    return { ...own, reason: 'offline', note, exceptionId };
  }
  if (isTooLarge) {
    const note = 'A text is too large for the service; the device decided on it.';
    return { ...own, reason: 'too_large', note, exceptionId };
  }
  return { ...own, reason: excepted === null ? null : 'exception', exceptionId };
}

function onService(own: Evaluation, { ofService }: Verdict, { service }: Exchange): Evaluation {
  const by = { by: 'cloud', eventId: (ofService ?? service.verdicts[0])?.eventId ?? own.eventId } as const;
  const exceptionId =
    own.decision === 'block' ? (ofService?.exceptionId ?? null) : (exceptionOf(service) ?? own.exceptionId);
  return { ...own, ...by, findings: [], reason: exceptionId === null ? null : 'exception', exceptionId };
}

/** An exception of the service is recorded besides any other action. */
const exceptionOf = ({ verdicts }: Exchange['service']): string | null =>
  verdicts.find(({ exceptionId }) => exceptionId !== null)?.exceptionId ?? null;
