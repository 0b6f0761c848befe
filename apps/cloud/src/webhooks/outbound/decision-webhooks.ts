import { type Direction, POLICY_PII_TYPES, type PolicyPiiType } from '@csg/shared/contract';
import type { Finding, Verdict } from '@csg/shared/detection';
import { countWritten } from '@csg/shared/providers';
import { type Replacement, type Span, type TextSlot, withoutOverlaps } from '@csg/shared/text';
import type { NewDelivery } from '../../storage/storage.ts';
import { newDelivery } from './new-delivery.ts';

export interface NoticedDecision {
  readonly eventId: string;
  readonly atMs: number;
  readonly projectId: string;
  readonly direction: Direction;
  readonly verdict: Pick<Verdict, 'decision' | 'confidence' | 'threatType' | 'threats'>;
  readonly masked: Masked;
  readonly model: string | null;
  readonly ipAddress: string | null;
  /** Why it was decided so where nothing was found. */
  readonly reason: string | null;
}

/** Personal data and secrets that were replaced. */
export interface Masked {
  readonly types: readonly PolicyPiiType[];
  readonly count: number;
}

/** Of what was evaluated and is handed on as it is, and of a withheld passage, which is worth more attention. */
export const NONE_MASKED: Masked = { types: [], count: 0 };

/**
 * What the project's receiver is told of a decision: one thing at most, since receivers tell repetitions by the
 * event's id. A block is `threat.blocked`, masked personal data `pii.redacted`, any other threat `threat.detected`.
 */
export function decisionWebhooks(decision: NoticedDecision): readonly NewDelivery[] {
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
 * The personal data and secrets that a verdict masks in what goes on: in the strings whose pointers begin with one of
 * `writtenUnder`. What is only reported, or found in several readings of one place, is not counted again.
 */
export function maskedIn(
  { findings, replacements }: Pick<Verdict, 'findings' | 'replacements'>,
  slots: readonly TextSlot[],
  writtenUnder: readonly string[],
): Masked {
  const types = new Set<string>();
  const personal = new Map<number, Finding[]>();
  for (const finding of findings) {
    const { slot } = finding;
    const list = replacements.get(slot);
    if (finding.pii === undefined || list === undefined) continue;
    const known = personal.get(slot);
    if (known !== undefined) known.push(finding);
    else if (pathsOf(slots[slot]).some((path) => writtenUnder.some((start) => path.startsWith(start))))
      personal.set(slot, [finding]);
    else continue;
    if (firstTouched(list, finding) !== undefined) types.add(finding.pii);
  }
  const masks = new Map<number, readonly Replacement[]>();
  for (const [slot, found] of personal) {
    const spans = withoutOverlaps(found);
    masks.set(
      slot,
      (replacements.get(slot) ?? []).filter((one) => firstTouched(spans, one) !== undefined),
    );
  }
  return {
    types: POLICY_PII_TYPES.filter((type) => types.has(type)),
    count: countWritten(slots, masks, writtenUnder),
  };
}

function pathsOf(slot: TextSlot | undefined): readonly string[] {
  return slot?.parts?.map(({ path }) => path) ?? [slot?.path ?? ''];
}

/** Of spans in order that do not overlap: the first that has a character in common with `span`. A request can have 100,000. */
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

function threatData(decision: NoticedDecision) {
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
    reason: reason ?? decision.reason ?? 'The content security policy decided so.',
    ...(Object.keys(metadata).length === 0 ? {} : { request_metadata: metadata }),
  };
}
