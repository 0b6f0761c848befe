import { type Direction, POLICY_PII_TYPES } from '@csg/shared/contract';
import type { Masked, Verdict } from '@csg/shared/decision';
import type { Finding } from '@csg/shared/detection';
import { countWritten } from '@csg/shared/providers';
import {
  pausing,
  type Replacement,
  type Span,
  type Steps,
  type TextSlot,
  withoutOverlapsInSteps,
} from '@csg/shared/text';
import type { DeliveryContent } from '../../storage/storage.ts';
import { newDelivery } from './new-delivery.ts';

export interface DecisionToSend {
  readonly eventId: string;
  readonly atMs: number;
  readonly projectId: string;
  readonly direction: Direction;
  readonly verdict: Pick<Verdict, 'decision' | 'confidence' | 'threatType' | 'threats'>;
  readonly masked: Masked;
  readonly model: string | null;
  readonly ipAddress: string | null;
  /** Reason of the decision if there are no findings. */
  readonly reason: string | null;
}

/** For content passed on unchanged, and for a withheld passage, so that it is reported as a threat. */
export const NONE_MASKED: Masked = { types: [], count: 0 };

/**
 * Returns the webhook events of a decision: at most one, because endpoints detect repetitions by the event's id. A
 * block is `threat.blocked`, masked personal data `pii.redacted`, any other threat `threat.detected`.
 */
export function decisionWebhooks(decision: DecisionToSend): readonly DeliveryContent[] {
  const { verdict, masked, eventId } = decision;
  const { atMs, projectId } = decision;
  const about = { eventId, atMs, projectId };
  if (verdict.decision === 'block') {
    return [newDelivery({ ...about, event: 'threat.blocked', data: threatData(decision) })];
  }
  if (verdict.decision === 'redact' && masked.count > 0) {
    const data = {
      event_id: eventId,
      pii_types: [...masked.types],
      redaction_count: masked.count,
      direction: decision.direction,
    };
    return [newDelivery({ ...about, event: 'pii.redacted', data })];
  }
  if (verdict.threats.length === 0) return [];
  return [newDelivery({ ...about, event: 'threat.detected', data: threatData(decision) })];
}

/**
 * Returns the personal data and secrets that a verdict masks in the forwarded content: in strings whose pointers begin
 * with one of `writtenUnder`. Does not count findings that are only reported, or found again in another decoding.
 */
export function* maskedIn(
  { findings, replacements }: Pick<Verdict, 'findings' | 'replacements'>,
  slots: readonly TextSlot[],
  writtenUnder: readonly string[],
): Steps<Masked> {
  const types = new Set<string>();
  const personal = new Map<number, Finding[]>();
  yield* pausing(findings, (finding) => {
    const { slot } = finding;
    const list = replacements.get(slot);
    if (finding.pii === undefined || list === undefined) return;
    const known = personal.get(slot);
    if (known !== undefined) known.push(finding);
    else if (pathsOf(slots[slot]).some((path) => writtenUnder.some((start) => path.startsWith(start))))
      personal.set(slot, [finding]);
    else return;
    if (firstTouched(list, finding) !== undefined) types.add(finding.pii);
  });
  const masks = new Map<number, readonly Replacement[]>();
  for (const [slot, found] of personal) {
    const spans = yield* withoutOverlapsInSteps(found);
    const own: Replacement[] = [];
    yield* pausing(replacements.get(slot) ?? [], (one) => {
      if (firstTouched(spans, one) !== undefined) own.push(one);
    });
    masks.set(slot, own);
  }
  return {
    types: POLICY_PII_TYPES.filter((type) => types.has(type)),
    count: yield* countWritten(slots, masks, writtenUnder),
  };
}

function pathsOf(slot: TextSlot | undefined): readonly string[] {
  return slot?.parts?.map(({ path }) => path) ?? [slot?.path ?? ''];
}

/** Returns the first of the sorted, disjoint spans that overlaps `span`. A request can have 100,000 spans. */
function firstTouched(spans: readonly Span[], span: Span): Span | undefined {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.end <= span.start) low = middle + 1;
    else high = middle;
  }
  const first = spans[low];
  return first !== undefined && first.start < span.end ? first : undefined;
}

function threatData(decision: DecisionToSend) {
  const { verdict, model, ipAddress } = decision;
  const reason = verdict.threats.find((threat) => threat.type === verdict.threatType)?.details;
  const metadata = {
    ...(model === null ? {} : { model }),
    ...(ipAddress === null ? {} : { ip_address: ipAddress }),
  };
  return {
    event_id: decision.eventId,
    decision: verdict.decision,
    threat_type: verdict.threatType,
    confidence: verdict.confidence,
    reason: reason ?? decision.reason ?? verdict.threats[0]?.details ?? 'Decided by policy.',
    ...(Object.keys(metadata).length === 0 ? {} : { request_metadata: metadata }),
  };
}
