import { createHash } from 'node:crypto';
import type { Masked, Verdict } from '@csg/shared/decision';
import type { Steps } from '@csg/shared/text';
import type { DecisionRecord } from '../../storage/storage.ts';
import { decisionWebhooks, maskedIn, NONE_MASKED } from '../../webhooks/outbound/decision-webhooks.ts';
import { routeDeliveries } from '../../webhooks/outbound/route-deliveries.ts';
import { conversationKeys } from '../agent/conversation-keys.ts';
import type { Principal } from '../authenticate-key.ts';
import type { DecisionToRecord } from './subject.ts';

/** Returns what the project's webhooks are sent about a decision; `reason`: the cause if there is no finding. */
export function* decisionNotices(
  { projectId, webhooks }: Pick<Principal, 'projectId' | 'webhooks'>,
  made: Pick<
    DecisionToRecord,
    'recorded' | 'direction' | 'texts' | 'delivery' | 'verdict' | 'eventId' | 'atMs'
  >,
  reason: string | null,
): Steps<Pick<DecisionRecord, 'notices'>> {
  if (webhooks.length === 0 || projectId === null) return {};
  const { recorded, direction, texts, verdict, eventId, atMs } = made;
  if (verdict.decision === 'allow' && verdict.threats.length === 0) return {};
  const onceKey = withheldKey(projectId, texts, verdict);
  const notices = decisionWebhooks({
    ...{ eventId, atMs, projectId, verdict, reason, direction },
    masked: onceKey === null ? yield* maskedBy(made) : NONE_MASKED,
    model: recorded.model,
    ipAddress: recorded.ipAddress ?? null,
  });
  const isOnce = verdict.decision === 'redact' && onceKey !== null;
  return {
    notices: routeDeliveries(isOnce ? notices.map((notice) => ({ ...notice, onceKey })) : notices, webhooks),
  };
}

function* maskedBy({
  verdict,
  delivery,
  texts,
  recorded,
}: Parameters<typeof decisionNotices>[1]): Steps<Masked> {
  if (verdict.masked !== undefined) return verdict.masked;
  return delivery === 'written'
    ? yield* maskedIn(verdict, texts.conversation.slots, recorded.writtenUnder ?? [''])
    : NONE_MASKED;
}

/**
 * Returns a key for the last withheld passage, derived from its conversation up to that point, so that a passage
 * withheld again in each turn is reported once. Null if nothing was withheld.
 */
function withheldKey(
  projectId: string,
  { conversation: { messages, slots } }: DecisionToRecord['texts'],
  { findings }: Verdict,
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
