import {
  type Direction,
  effectiveSettings,
  type StrictnessLevel,
  type UntrustedData,
} from '../contract/index.ts';
import type { Finding, Ruleset } from '../detection/index.ts';
import { readGuardRequest } from '../providers/index.ts';
import { type Conversation, conversationOf, type SlotRole } from '../text/index.ts';
import type { Facts, Scan } from './facts.ts';

/** A conversation whose decision is only shown: nothing is asked, recorded or forwarded. */
export interface TriedTexts {
  readonly conversation: Conversation;
  readonly direction: Direction;
}

/** Rules without those that are about calls, files and endpoints. */
export interface TriedRules {
  readonly ruleset: Ruleset;
  readonly untrustedData: UntrustedData;
}

/** The rules of a project that has set nothing but its preset. */
export function rulesOfPreset(ruleset: Ruleset, strictness: StrictnessLevel): TriedRules {
  const { untrusted_data } = effectiveSettings({}, { strictness_level: strictness, fail_mode: 'open' });
  return { ruleset, untrustedData: untrusted_data };
}

/** Returns the facts of the decision that guard takes for the same conversation. */
export function triedFacts(
  { conversation, direction }: TriedTexts,
  scan: readonly Finding[] | Extract<Scan, { kind: 'unscannable' }>,
  rules: TriedRules,
): Facts {
  return {
    texts: { conversation, unread: [] },
    scan: 'kind' in scan ? scan : { kind: 'read', found: [{ direction, findings: scan }] },
    rules,
    ...{ delivery: 'written', calls: null, answers: {} },
  };
}

/**
 * Returns a conversation that consists of one text, as guard reads it. The model's own words are a response, unless the
 * direction says otherwise.
 */
export function triedText(text: string, role: SlotRole, direction?: Direction): TriedTexts {
  return {
    conversation: guardConversation(text, role) ?? conversationOf([{ path: '/text', role, text }]),
    direction: direction ?? (role === 'assistant' ? 'output' : 'input'),
  };
}

const MESSAGE_ROLES = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  tool_result: 'tool',
} as const satisfies Partial<Record<SlotRole, string>>;

/** Null: guard has no place for such a text. */
function guardConversation(content: string, role: SlotRole): Conversation | null {
  const request =
    role === 'document'
      ? { messages: [], retrieved_context: [{ content }] }
      : role in MESSAGE_ROLES
        ? { messages: [{ role: MESSAGE_ROLES[role as keyof typeof MESSAGE_ROLES], content }] }
        : null;
  return request === null ? null : readGuardRequest(request, () => JSON.stringify(request));
}
