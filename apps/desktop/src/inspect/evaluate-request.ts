import type { BlockReply, WireFormat } from '@csg/shared/providers';
import type { CompiledPolicy } from './compile-policy.ts';
import { type Action, blockExchange } from './decide-exchange.ts';
import type { DecisionEvent } from './decision-event.ts';
import type { DevicePolicy } from './device-policy.ts';
import { type EvaluationTools, evaluateReading, type InspectedRequest } from './evaluate-reading.ts';
import { readRequest } from './read-request.ts';
import { isReadByFrame } from './release-stream.ts';
import { type Delivery, type RequestBody, type RequestReading, UNCHANGED } from './request-reading.ts';
import { roundTripMasks } from './round-trip-masks.ts';

/** What becomes of a request. `event` is null where nothing is worth a record. */
export type RequestVerdict = { readonly isUnanswered: boolean } & (
  | {
      readonly kind: 'forward';
      readonly event: DecisionEvent | null;
      /** What was asked; null: there was no prompt, and the response is not read. */
      readonly prompt: RequestReading | null;
    }
  | {
      readonly kind: 'rewrite';
      readonly event: DecisionEvent;
      readonly prompt: RequestReading;
      /** Null: as it came. */
      readonly path: string | null;
      readonly body: Uint8Array | null;
    }
  | { readonly kind: 'block'; readonly event: DecisionEvent; readonly reply: BlockReply }
);

const encoder = new TextEncoder();

/** From a request whose body could be taken apart to what becomes of it. */
export async function evaluateRequest(
  request: InspectedRequest,
  body: RequestBody,
  tools: EvaluationTools,
): Promise<RequestVerdict> {
  const { compiled, method, host, path } = request;
  const read = readRequest({ method, host, path, body });
  const reading = { ...read, delivery: deliveryOf(compiled.policy, read.format) };
  const isEmpty = reading.slots.length === 0 && reading.problem === null && reading.unscanned.length === 0;
  // Nothing was said, so there is nothing to decide.
  if (isEmpty && !compiled.isBlockedTool(host)) {
    return { kind: 'forward', event: null, prompt: null, isUnanswered: false };
  }
  const { action, isUnanswered } = await evaluateReading(request, 'input', reading, tools);
  if (action.kind !== 'redact') return { ...inputVerdict(request, reading, action), isUnanswered };
  const { replacements, restores } = roundTripMasks(request, reading, action.replacements, tools);
  const masked = { ...action, replacements };
  return { ...inputVerdict(request, { ...reading, restores }, masked), isUnanswered };
}

/**
 * People read along on chat pages: their streams are read whole only if the project asks for it, or if a tool call may be
 * held and their frames cannot be read one by one.
 */
function deliveryOf(
  { mode, streaming, holdsPages, ruleset }: DevicePolicy,
  format: WireFormat | null,
): Delivery {
  if (format === null) return 'watched';
  if (mode === 'enforce' && isReadByFrame(format))
    return format.isPage === true && !holdsPages ? 'live' : streaming;
  const isWhole = ruleset.toolCalls !== undefined || (mode === 'enforce' && holdsPages);
  return isWhole ? 'buffered' : 'watched';
}

type InputVerdict = RequestVerdict extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'isUnanswered'>
    : never
  : never;

/** The action on an input, with what is to be written in its place. */
export function inputVerdict(
  { compiled, isSigned }: InspectedRequest,
  reading: RequestReading,
  action: Action,
): InputVerdict {
  if (action.kind === 'block') return action;
  if (action.kind === 'forward') {
    const isPrompt = reading.unscanned.length > 0 || reading.slots.some((slot) => slot.isKey !== true);
    return { kind: 'forward', event: action.event, prompt: isPrompt ? reading : null };
  }
  const { path, body } = isSigned === true ? UNCHANGED : reading.write(action.replacements);
  if (body !== null || path !== null) {
    const bytes = typeof body === 'string' ? encoder.encode(body) : body;
    return { kind: 'rewrite', event: action.event, prompt: reading, path, body: bytes };
  }
  // What was to be masked could not be: it must not go out.
  return unwritable(compiled, reading, action.event);
}

function unwritable(compiled: CompiledPolicy, reading: RequestReading, event: DecisionEvent): InputVerdict {
  const blocked = { done: 'blocked', reason: 'unwritable', note: 'It could not be rewritten.' } as const;
  return blockExchange(compiled, { reading, direction: 'input' }, { ...event, ...blocked });
}
