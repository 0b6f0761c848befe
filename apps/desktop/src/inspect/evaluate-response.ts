import {
  type BlockReply,
  oneErrorFrame,
  readExactCalls,
  readLeafTexts,
  type ToolCall,
} from '@csg/shared/providers';
import { conversationOf, parseStrictJson } from '@csg/shared/text';
import { blockOf, blockSentence } from './block-reply.ts';
import { type Action, decideVerdict } from './decide-exchange.ts';
import { decideTexts } from './decide-texts.ts';
import type { DecisionEvent } from './decision-event.ts';
import { type EvaluationTools, evaluateReading, type InspectedRequest } from './evaluate-reading.ts';
import { holdToolCalls } from './hold-tool-calls.ts';
import type { RequestReading } from './request-reading.ts';
import { decideRestored, restoredText } from './restore-response.ts';
import { type EvaluateSlots, watchStream, watchText } from './watch-stream.ts';

export type ResponseVerdict = { readonly isUnanswered: boolean } & (
  | {
      readonly kind: 'forward';
      readonly event: DecisionEvent | null;
      /** What is sent in its place, or of it; absent: as it came. */
      readonly bytes?: Uint8Array;
    }
  | {
      readonly kind: 'block';
      readonly event: DecisionEvent;
      readonly reply: BlockReply;
      /** End a stream that has begun, in the provider's own form; absent: it is none. */
      readonly frames?: string;
    }
);

/** A response as far as it could be had: unpacked, or why it cannot be read. */
export type ResponseBody = (
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'unread'; readonly reason: string }
) & {
  readonly isEvents?: boolean;
  /** What of a stream has left. */
  readonly sent?: string;
};

/**
 * A response before any of it passes, or the last of it. What cannot be read is for the policy to allow or to hold back, and is reported.
 */
export async function evaluateResponse(
  request: InspectedRequest,
  prompt: RequestReading,
  body: ResponseBody,
  tools: EvaluationTools,
): Promise<ResponseVerdict> {
  const read =
    body.kind === 'whole'
      ? readResponse(prompt, body)
      : { reading: { ...emptyReading(prompt), problem: body.reason }, calls: NO_CALLS };
  const { action, isUnanswered } = await evaluateReading(request, 'output', read.reading, tools);
  const asSent = { ...outputVerdict(action), isUnanswered };
  const restored = body.kind === 'whole' ? restoredBody(prompt, body, read.calls) : null;
  const verdict =
    restored === null || asSent.kind === 'block'
      ? asSent
      : withRestored(request, read, restored, asSent, tools);
  const { calls } = restored ?? read;
  const held =
    verdict.kind === 'block' || calls.length === 0
      ? null
      : await holdToolCalls(request, prompt, calls, tools);
  const last =
    held?.kind === 'forward' && verdict.kind === 'forward'
      ? { ...verdict, event: held.event }
      : (held ?? verdict);
  if (last.kind !== 'block' || body.isEvents !== true || prompt.format === null) return last;
  const block = { ...blockOf(request.compiled.policy, 'output', last.event), fields: held?.fields ?? {} };
  return { ...last, frames: prompt.format.streamBlockOf(block, body.sent ?? '') };
}

interface RestoredBody extends ReadResponse {
  readonly bytes: Uint8Array;
}

/** Read once more with the values of the request put back; null if nothing is. */
function restoredBody(
  prompt: RequestReading,
  body: Extract<ResponseBody, { kind: 'whole' }>,
  calls: readonly ToolCall[],
): RestoredBody | null {
  if (prompt.restores === null) return null;
  const isStream = body.isEvents === true;
  const text = restoredText(prompt, { text: utf8.decode(body.bytes), isStream, calls });
  if (text === null) return null;
  const bytes = encoder.encode(text);
  return { bytes, ...readResponse(prompt, { ...body, bytes }) };
}

/** The verdict on both spellings. */
function withRestored(
  request: InspectedRequest,
  { reading }: ReadResponse,
  restored: RestoredBody,
  asSent: Extract<ResponseVerdict, { kind: 'forward' }>,
  tools: Pick<EvaluationTools, 'now' | 'newEventId'>,
): ResponseVerdict {
  const { compiled, host, path, method } = request;
  const nowMs = tools.now();
  const slots = { sent: reading.slots, restored: restored.reading.slots };
  const verdict = decideRestored(request, slots, nowMs);
  const forward = { ...asSent, bytes: restored.bytes };
  if (verdict.verdict.decision !== 'block') return forward;
  const facts = { host, path, method, direction: 'output', reading: restored.reading } as const;
  const action = decideVerdict(compiled, verdict, { ...facts, nowMs, newEventId: tools.newEventId() });
  if (action.kind === 'block') return { ...action, isUnanswered: asSent.isUnanswered };
  return { ...forward, event: asSent.event ?? action.event };
}

/** Responses are never rewritten but for values of the request: what a policy only wants masked passes and is reported. */
export function outputVerdict(
  action: Action,
):
  | { kind: 'forward'; event: DecisionEvent | null }
  | { kind: 'block'; event: DecisionEvent; reply: BlockReply } {
  return action.kind === 'block' ? action : { kind: 'forward', event: action.event };
}

export type PieceVerdict =
  | { readonly kind: 'forward'; readonly event: DecisionEvent | null }
  /** `frame` ends an event stream in its own form; null: there is no form, the response breaks off. */
  | { readonly kind: 'block'; readonly event: DecisionEvent; readonly frame: string | null };

/** Evaluates a response while it passes. */
export interface ResponseWatch {
  /** The next piece, unpacked, together with what came before. */
  push(bytes: Uint8Array): PieceVerdict;
}

const PASSES: PieceVerdict = { kind: 'forward', event: null };

export function watchResponse(
  request: InspectedRequest,
  prompt: RequestReading,
  isEvents: boolean,
  tools: Pick<EvaluationTools, 'now' | 'newEventId'>,
): ResponseWatch {
  const { compiled, host, path, method } = request;
  const reading = emptyReading(prompt);
  const evaluate = evaluateLocally(request, tools.now);
  const watch = isEvents ? watchStream(evaluate, prompt.format) : watchText(evaluate);
  const decoder = new TextDecoder();
  let isReported = false;
  let isExcepted = false;
  return {
    push(bytes) {
      if (isReported) return PASSES;
      const verdict = watch.push(decoder.decode(bytes, { stream: true }));
      const isAllowed = verdict.verdict.decision === 'allow';
      if (isAllowed && (isExcepted || verdict.exceptionId === null)) return PASSES;
      if (isAllowed) isExcepted = true;
      else isReported = true;
      const facts = { host, path, method, direction: 'output', reading } as const;
      const ids = { nowMs: tools.now(), newEventId: tools.newEventId() };
      const { kind, event } = decideVerdict(compiled, verdict, { ...facts, ...ids });
      if (kind !== 'block') return { kind: 'forward', event };
      const message = blockSentence(compiled.policy, 'output', event);
      const frame = isEvents ? oneErrorFrame({ message, eventId: event.eventId }) : null;
      return { kind: 'block', event, frame };
    },
  };
}

/** The engine on the device, on texts of a response that passes: the service cannot be waited for there. */
export function evaluateLocally({ compiled, host }: InspectedRequest, now: () => number): EvaluateSlots {
  return (slots) => decideTexts(compiled, conversationOf(slots), 'output', host, now());
}

function emptyReading(prompt: RequestReading): RequestReading {
  return { ...prompt, slots: [], unscanned: [], files: [], problem: null, isAmbiguous: false };
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

const NO_CALLS: readonly ToolCall[] = [];

interface ReadResponse {
  readonly reading: RequestReading;
  readonly calls: readonly ToolCall[];
}

function readResponse(
  prompt: RequestReading,
  { bytes, isEvents }: Extract<ResponseBody, { kind: 'whole' }>,
): ReadResponse {
  const empty = emptyReading(prompt);
  const { format } = prompt;
  if (isEvents === true && format !== null) {
    const text = utf8.decode(bytes);
    const { slots, unscanned, model } = format.readStream(text);
    return { reading: { ...empty, slots, unscanned, model }, calls: format.readStreamCalls(text) };
  }
  try {
    const { value, source } = parseStrictJson(bytes);
    const read =
      format === null
        ? readLeafTexts(value, 'assistant', () => source)
        : format.readResponse(value, () => source);
    const reading = { ...empty, slots: read.slots, unscanned: read.unscanned, model: read.model };
    return { reading, calls: format === null ? NO_CALLS : readExactCalls(value, () => source) };
  } catch {
    // The spelling of an odd response is no danger: it is read as it stands.
    const slots = [{ path: '#text', role: 'assistant' as const, text: utf8.decode(bytes) }];
    return { reading: { ...empty, slots }, calls: NO_CALLS };
  }
}
