import type { Excepted } from '@csg/shared/decision';
import type { Finding } from '@csg/shared/detection';
import type { Conversation } from '@csg/shared/text';
import type { Storage } from '../../storage/storage.ts';
import { messageOfSlots, type TextsInConversation, textPositions } from '../agent/text-positions.ts';
import type { Principal } from '../authenticate-key.ts';

/** Includes the destination host, because exceptions may name it. */
export interface TextsToPass extends TextsInConversation {
  readonly host: string;
}

export interface PassedTexts {
  /** True if nothing found here was allowed before. */
  readonly isEmpty: boolean;
  /** Returns the exception that allowed this in an earlier turn; undefined if none did. */
  exceptionOf(finding: Finding, policyId: string | null): string | undefined;
  /** Stores new entries. */
  keep(passed: readonly Excepted[]): Promise<void>;
}

/**
 * Only texts that the model has replied to stay allowed: the same words in a new turn need an active exception. Notes
 * are keyed digests of a text, what precedes it, the host and the threat.
 */
export async function readPassedTexts(
  { conversationNotes }: Pick<Storage, 'conversationNotes'>,
  principal: Principal,
  texts: TextsToPass,
  findings: readonly Finding[],
): Promise<PassedTexts> {
  const keyOf = noteKeys(conversationNotes, principal, texts);
  const isEarlier = earlierSlots(texts.conversation);
  const known = (await conversationNotes.hasAny(principal, 'exception'))
    ? await conversationNotes.find(principal, [
        ...new Set(findings.filter((finding) => isEarlier(finding)).map(keyOf)),
      ])
    : new Map<string, string>();
  return {
    isEmpty: known.size === 0,
    exceptionOf(finding, policyId) {
      if (known.size === 0 || !isEarlier(finding)) return undefined;
      const [exceptionId, decider] = known.get(keyOf(finding))?.split(' ') ?? [];
      return decider === (policyId ?? '') ? exceptionId : undefined;
    },
    async keep(passed) {
      const notes = new Map<string, string>();
      for (const { finding, policyId, exceptionId } of passed) {
        const key = keyOf(finding);
        if (!known.has(key) && !notes.has(key)) notes.set(key, `${exceptionId} ${policyId ?? ''}`);
      }
      if (notes.size > 0) await conversationNotes.keep(principal, notes);
    },
  };
}

function noteKeys(
  conversationNotes: Storage['conversationNotes'],
  principal: Principal,
  texts: TextsToPass,
): (finding: Finding) => string {
  const { slots } = texts.conversation;
  const placeOf = textPositions(principal, texts);
  const made = new Map<string, string>();
  return ({ slot, type, policyId = '' }) => {
    const name = `${slot} ${type} ${policyId}`;
    let key = made.get(name);
    if (key === undefined) {
      const parts = [texts.host, placeOf(slot), slots[slot]!.text, type, policyId];
      key = conversationNotes.keyOf(principal, 'exception', parts);
      made.set(name, key);
    }
    return key;
  };
}

/** Returns whether a finding is in or before a model message that has a reply. */
function earlierSlots(conversation: Conversation): (finding: Finding) => boolean {
  const { messages } = conversation;
  const inOrder = messages.filter(({ position }) => position.index !== null);
  const isModel = ({ origin }: Conversation['messages'][number]): boolean => origin === 'model';
  const lastOther = inOrder.findLastIndex((message) => !isModel(message));
  const reply = inOrder.slice(0, Math.max(lastOther, 0)).findLast(isModel);
  if (reply === undefined) return () => false;
  const until = reply.position.index!;
  const messageOf = messageOfSlots(conversation);
  return ({ slot }) => (messages[messageOf(slot)]?.position.index ?? 0) <= until;
}
