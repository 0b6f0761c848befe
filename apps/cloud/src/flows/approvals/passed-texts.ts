import type { Finding } from '@csg/shared/detection';
import type { Conversation } from '@csg/shared/text';
import type { Storage } from '../../storage/storage.ts';
import {
  type ConversationIdentity,
  conversationKeys,
  keysBeforeMessages,
} from '../agent/conversation-keys.ts';
import type { Principal } from '../authenticate-key.ts';

/** The texts of a decision and the conversation that they are part of. */
export interface TextsInConversation {
  readonly conversation: Conversation;
  readonly identity: ConversationIdentity;
  /** For responses: the conversation that they continue. */
  readonly follows?: Conversation | undefined;
  readonly host: string;
}

/** What an exception let pass: it stays passed in its conversation after the exception has ended. */
export interface PassedText {
  readonly finding: Finding;
  /** The policy that would decide; null: the preset. */
  readonly policyId: string | null;
  readonly exceptionId: string;
}

export interface PassedTexts {
  /** None passed that is found here. */
  readonly isEmpty: boolean;
  /** The exception that let this pass in an earlier turn; undefined: none did. */
  exceptionOf(finding: Finding, policyId: string | null): string | undefined;
  /** Stores what is not stored yet. */
  keep(passed: readonly PassedText[]): Promise<void>;
}

/**
 * Only texts that the model has replied to count as passed: the same words in a new turn need an exception that is
 * active. Notes are keyed digests of a text, what stands before it, the host and the threat.
 */
export async function readPassedTexts(
  { conversationNotes }: Pick<Storage, 'conversationNotes'>,
  principal: Principal,
  texts: TextsInConversation,
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
  { conversation, identity, follows, host }: TextsInConversation,
): (finding: Finding) => string {
  const { messages, slots } = conversation;
  const messageOf = messageOfSlots(conversation);
  const owner = principal.deviceId ?? principal.projectId ?? '';
  const { sessionId, startsAfter } = identity;
  let before: readonly string[] | undefined;
  const readKeys = (): readonly string[] => {
    if (follows === undefined) return keysBeforeMessages(conversation, owner, sessionId, startsAfter);
    const { current } = conversationKeys(follows, owner, sessionId, startsAfter);
    return messages.map(() => current);
  };
  const made = new Map<string, string>();
  return ({ slot, type, policyId = '' }) => {
    const name = `${slot} ${type} ${policyId}`;
    let key = made.get(name);
    if (key === undefined) {
      before ??= readKeys();
      const { text } = slots[slot]!;
      const place = before[messageOf(slot)] ?? '';
      key = conversationNotes.keyOf(principal, 'exception', [host, place, text, type, policyId]);
      made.set(name, key);
    }
    return key;
  };
}

/** Whether a finding stands in or before a message of the model that somebody has replied to. */
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

function messageOfSlots({ messages, slots }: Conversation): (slot: number) => number {
  let bySlot: Map<unknown, number> | undefined;
  return (slot) => {
    bySlot ??= new Map(messages.flatMap((message, at) => message.slots.map((one) => [one, at] as const)));
    return bySlot.get(slots[slot]) ?? -1;
  };
}
