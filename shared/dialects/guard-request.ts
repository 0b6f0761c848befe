import type { GuardRequest, Unscanned } from '../contract/index.ts';
import type { Replacement, TextSlot } from '../text/index.ts';

export interface GuardReading {
  readonly slots: readonly TextSlot[];
  readonly unscanned: readonly Unscanned[];
}

/** Reads a validated guard request: messages, context.tool_calls, retrieved_context and media. */
export function readGuardRequest(request: GuardRequest): GuardReading {
  throw new Error(`not written yet ${request.messages.length}`);
}

/**
 * One entry for every message sent, in order; block arrays flattened to one string.
 * `slots` are those of readGuardRequest, `replacements` those of the verdict on them (by slot index).
 */
export function redactedMessages(
  request: GuardRequest,
  slots: readonly TextSlot[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
): { role: string; content: string }[] {
  throw new Error(`not written yet ${request.messages.length} ${slots.length} ${replacements.size}`);
}
