import { createHash } from 'node:crypto';
import type { Direction } from '@csg/shared/contract';
import type { Conversation } from '@csg/shared/text';
import type { DecisionRecord } from '../storage/storage.ts';
import {
  decisionWebhooks,
  type Masked,
  maskedIn,
  NONE_MASKED,
} from '../webhooks/outbound/decision-webhooks.ts';
import { routeDeliveries } from '../webhooks/outbound/route-deliveries.ts';
import { conversationKeys } from './agent/conversation-keys.ts';
import type { ExceptedVerdict } from './approvals/apply-exceptions.ts';
import type { Principal } from './authenticate-key.ts';

/** The texts of the decision, as passed to `evaluateTexts`. */
interface DecidedTexts {
  readonly conversation: Conversation;
  readonly direction: Direction;
  readonly model: string | null;
  readonly ipAddress?: string | undefined;
  readonly writtenUnder?: readonly string[];
}

/** Returns what the project's webhooks are sent about a decision; `reason`: the cause if there is no finding. */
export function decisionNotices(
  { projectId, webhooks }: Pick<Principal, 'projectId' | 'webhooks'>,
  texts: DecidedTexts,
  verdict: ExceptedVerdict,
  reason: string | null,
  { eventId, atMs }: { readonly eventId: string; readonly atMs: number },
): Pick<DecisionRecord, 'notices'> {
  if (webhooks.length === 0 || projectId === null) return {};
  if (verdict.decision === 'allow' && verdict.threats.length === 0) return {};
  const onceKey = withheldKey(projectId, texts, verdict);
  const notices = decisionWebhooks({
    ...{ eventId, atMs, projectId, verdict, reason },
    direction: texts.direction,
    masked: maskedBy(verdict, texts, onceKey !== null),
    model: texts.model,
    ipAddress: texts.ipAddress ?? null,
  });
  const isOnce = verdict.decision === 'redact' && onceKey !== null;
  return {
    notices: routeDeliveries(isOnce ? notices.map((notice) => ({ ...notice, onceKey })) : notices, webhooks),
  };
}

function maskedBy(
  verdict: ExceptedVerdict,
  { conversation: { slots }, writtenUnder }: DecidedTexts,
  isWithheld: boolean,
): Masked {
  if (isWithheld || (writtenUnder === undefined && verdict.masked === undefined)) return NONE_MASKED;
  return verdict.masked ?? maskedIn(verdict, slots, writtenUnder ?? []);
}

/**
 * Returns a key for the last withheld passage, derived from its conversation up to that point, so that a passage
 * withheld again in each turn is reported once. Null if nothing was withheld.
 */
function withheldKey(
  projectId: string,
  { conversation: { messages, slots } }: DecidedTexts,
  { findings }: ExceptedVerdict,
): string | null {
  const withheld = new Set(
    findings.filter((finding) => finding.isWithheld === true).map(({ slot }) => slots[slot]),
  );
  const at = messages.findLastIndex((message) => message.slots.some((slot) => withheld.has(slot)));
  if (at === -1) return null;
  const hash = createHash('sha256').update(
    conversationKeys({ messages: messages.slice(0, at + 1) }, projectId, null).current,
  );
  for (const { text } of messages[at]!.slots) hash.update(`\n${text.length}:`).update(text);
  return hash.digest('hex');
}
