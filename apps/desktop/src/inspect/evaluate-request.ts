import { taintedTexts } from '@csg/shared/decision';
import { type BlockReply, isHeaderText, type UnreadPart, type WireFormat } from '@csg/shared/providers';
import { canRelease, roundTrip, type ValuesToRestore } from '@csg/shared/streaming';
import { finish, type Replacement } from '@csg/shared/text';
import type { CompiledPolicy } from './compile-policy.ts';
import { type Action, blockExchange } from './decide-exchange.ts';
import type { DecisionEvent } from './decision-event.ts';
import type { DevicePolicy } from './device-policy.ts';
import { type EvaluationTools, evaluateReading, type InspectedRequest } from './evaluate-reading.ts';
import { maskPositions } from './mask-positions.ts';
import { readRequest } from './read-request.ts';
import { hasPrompt, withHeaders } from './request-headers.ts';
import {
  type Delivery,
  type MaskedHeaders,
  type RequestBody,
  type RequestReading,
  UNCHANGED,
} from './request-reading.ts';
import type { TextMemory } from './text-memory.ts';

/** The verdict on a request. `event` is null if nothing needs recording. */
export type RequestVerdict = { readonly isUnanswered: boolean } & (
  | {
      readonly kind: 'forward';
      readonly event: DecisionEvent | null;
      /** The prompt; null: there was none, and the response is not read. */
      readonly prompt: RequestReading | null;
    }
  | {
      readonly kind: 'rewrite';
      readonly event: DecisionEvent;
      readonly prompt: RequestReading | null;
      /** Null: unchanged. */
      readonly path: string | null;
      readonly body: Uint8Array | null;
      /** New values by place in the list; absent: unchanged. */
      readonly headers?: MaskedHeaders;
    }
  | { readonly kind: 'block'; readonly event: DecisionEvent; readonly reply: BlockReply }
);

const encoder = new TextEncoder();

/** Evaluates a request whose body could be parsed. */
export async function evaluateRequest(
  request: InspectedRequest,
  body: RequestBody,
  tools: EvaluationTools,
): Promise<RequestVerdict> {
  const { compiled, method, host, path } = request;
  const read = withHeaders(readRequest({ method, host, path, body }), request, tools);
  const reading = {
    ...withoutAnswered(read, host, tools.memory),
    delivery: deliveryOf(compiled.policy, read.format),
  };
  const isEmpty = reading.slots.length === 0 && reading.problem === null && reading.unscanned.length === 0;
  // There is no text to decide on.
  if (isEmpty && !compiled.isBlockedTool(host)) {
    return { kind: 'forward', event: null, prompt: null, isUnanswered: false };
  }
  const { action, isUnanswered } = await evaluateReading(request, 'input', reading, tools);
  if (action.kind !== 'redact') return { ...inputVerdict(request, reading, action), isUnanswered };
  const { replacements, restores } = roundTripMasks(request, reading, action.replacements, tools);
  const masked = { ...action, replacements };
  const tainted = taintedTexts({ judged: [], replacements: action.replacements }, reading);
  return { ...inputVerdict(request, { ...reading, restores, tainted }, masked), isUnanswered };
}

/** Leaves out what was read when a response that passed here had it. */
export function withoutAnswered(
  reading: RequestReading,
  host: string,
  memory: Pick<TextMemory, 'isAnswered'>,
): RequestReading {
  const isUnread = ({ answeredId }: Pick<UnreadPart, 'answeredId'>): boolean =>
    answeredId === undefined || !memory.isAnswered(host, answeredId);
  return { ...reading, unscanned: reading.unscanned.filter(isUnread) };
}

/**
 * Users read along on chat pages: their streams are held whole only if the project sets it, or if a tool call may have
 * to be held and the format's frames cannot be read one by one.
 */
function deliveryOf(
  { mode, streaming, holdsPages, ruleset }: DevicePolicy,
  format: WireFormat | null,
): Delivery {
  if (format === null) return 'watched';
  if (mode === 'enforce' && canRelease(format))
    return format.isPage === true && !holdsPages ? 'live' : streaming;
  const isWhole = ruleset.toolCalls !== undefined || (mode === 'enforce' && holdsPages);
  return isWhole ? 'buffered' : 'watched';
}

type InputVerdict = RequestVerdict extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'isUnanswered'>
    : never
  : never;

/** Turns the action on an input into a verdict with the rewritten request. */
export function inputVerdict(
  { compiled, isSigned }: InspectedRequest,
  reading: RequestReading,
  action: Action,
): InputVerdict {
  if (action.kind === 'block') return action;
  if (action.kind === 'forward') {
    return { kind: 'forward', event: action.event, prompt: hasPrompt(reading) ? reading : null };
  }
  const { path, body, ...rest } = isSigned === true ? UNCHANGED : reading.write(action.replacements);
  if (body !== null || path !== null || rest.headers !== undefined) {
    const bytes = typeof body === 'string' ? encoder.encode(body) : body;
    const prompt = hasPrompt(reading) ? reading : null;
    return { kind: 'rewrite', event: action.event, prompt, path, body: bytes, ...rest };
  }
  // Text that could not be masked must not be sent.
  return unwritable(compiled, reading, action.event);
}

function unwritable(compiled: CompiledPolicy, reading: RequestReading, event: DecisionEvent): InputVerdict {
  const blocked = { done: 'blocked', reason: 'unwritable', note: 'It could not be rewritten.' } as const;
  return blockExchange(compiled, { reading, direction: 'input' }, { ...event, ...blocked });
}

type Replacements = ReadonlyMap<number, readonly Replacement[]>;

interface MaskedRequest {
  readonly replacements: Replacements;
  /** Null: nothing is restored. */
  readonly restores: ValuesToRestore | null;
}

/**
 * Creates masks that are restored in the response, if the policy requires it and the response can be rewritten. Values
 * are stored only with the request. A text in which the device does not find the values itself keeps one-way masks.
 */
function roundTripMasks(
  { compiled }: InspectedRequest,
  { format, slots }: Pick<RequestReading, 'format' | 'slots'>,
  replacements: Replacements,
  { maskDigest }: Pick<EvaluationTools, 'maskDigest'>,
): MaskedRequest {
  const { masking, secretTools } = compiled.policy;
  const isRestorable = format !== null && format.isPage !== true && canRelease(format);
  if (masking !== 'round_trip' || !isRestorable) return { replacements, restores: null };
  const exact = new Map<number, readonly Replacement[]>();
  for (const [index, list] of replacements) {
    if (isHeaderText(slots[index]!)) continue;
    const places = maskPositions(slots[index]!.text, list, compiled.workspace);
    if (places !== null) exact.set(index, places);
  }
  const masked = finish(roundTrip(maskDigest, slots, exact));
  return {
    replacements: new Map([...replacements, ...masked.replacements]),
    restores: { values: masked.values, secretTools },
  };
}
