import {
  type BlockReply,
  oneErrorFrame,
  readLeafTexts,
  signedKeys,
  type ToolCall,
} from '@csg/shared/providers';
import { type EvaluateSlots, restoreBody, watchStream, watchText } from '@csg/shared/streaming';
import { conversationOf, finish, parseStrictJson } from '@csg/shared/text';
import { blockOf, blockSentence } from './block-reply.ts';
import { type Action, decideVerdict } from './decide-exchange.ts';
import { type DeviceVerdict, decideTexts } from './decide-texts.ts';
import type { DecisionEvent } from './decision-event.ts';
import { type EvaluationTools, evaluateReading, type InspectedRequest } from './evaluate-reading.ts';
import { holdToolCalls } from './hold-tool-calls.ts';
import type { RequestReading } from './request-reading.ts';
import { decideRestored } from './restore-response.ts';

export type ResponseVerdict = { readonly isUnanswered: boolean } & (
  | {
      readonly kind: 'forward';
      readonly event: DecisionEvent | null;
      /** Replaces the response or the unsent part of it; absent: unchanged. */
      readonly bytes?: Uint8Array;
    }
  | {
      readonly kind: 'block';
      readonly event: DecisionEvent;
      readonly reply: BlockReply;
      /** End a stream that has begun, in the provider's own form; absent: it is not a stream. */
      readonly frames?: string;
    }
);

/** A response that is available decompressed, or why it cannot be read. */
export type ResponseBody = (
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'unread'; readonly reason: string }
) & {
  readonly isEvents?: boolean;
  /** The part of a stream that was already sent. */
  readonly sent?: string;
};

/**
 * Evaluates a response before any of it is sent, or the rest of it. The policy decides whether an unreadable response
 * is allowed or blocked; it is reported.
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
      : { reading: { ...emptyReading(prompt), problem: body.reason }, calls: NO_CALLS, ids: [] };
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
  if (last.kind === 'forward')
    tools.memory.storeAnswer(request.host, [...read.ids, ...read.reading.signed.flatMap(signedKeys)]);
  if (last.kind !== 'block' || body.isEvents !== true || prompt.format === null) return last;
  const block = { ...blockOf(request.compiled.policy, 'output', last.event), fields: held?.fields ?? {} };
  return { ...last, frames: prompt.format.streamBlockOf(block, body.sent ?? '') };
}

interface RestoredBody extends ReadResponse {
  readonly bytes: Uint8Array;
}

/** Reads the response again with the values of the request restored; null if nothing is restored. */
function restoredBody(
  prompt: RequestReading,
  body: Extract<ResponseBody, { kind: 'whole' }>,
  calls: readonly ToolCall[],
): RestoredBody | null {
  const { format, restores } = prompt;
  if (format === null || restores === null) return null;
  const isStream = body.isEvents === true;
  const bytes = finish(restoreBody(restores, { format, body: body.bytes, isStream, calls }));
  if (bytes === null) return null;
  return { bytes, ...readResponse(prompt, { ...body, bytes }) };
}

/** Also evaluates the restored response: its block takes precedence, otherwise it is forwarded. */
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

/** Responses are rewritten only to restore values: text that the policy would mask passes and is reported. */
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

/** Evaluates a response while it is sent. */
export interface ResponseWatch {
  /** Evaluates the next decompressed piece together with the previous ones. */
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

/** Evaluates texts of a response in progress with the device's engine, because it cannot wait for the service. */
export function evaluateLocally(
  { compiled, host }: InspectedRequest,
  now: () => number,
): EvaluateSlots<DeviceVerdict> {
  return (slots) => decideTexts(compiled, conversationOf(slots), 'output', host, now());
}

function emptyReading(prompt: RequestReading): RequestReading {
  return { ...prompt, slots: [], unscanned: [], files: [], signed: [], problem: null, isAmbiguous: false };
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const NO_CALLS: readonly ToolCall[] = [];

interface ReadResponse {
  readonly reading: RequestReading;
  readonly calls: readonly ToolCall[];
  /** By which later requests name the response; none if the provider does not keep it. */
  readonly ids: readonly string[];
}

function readResponse(
  prompt: RequestReading,
  { bytes, isEvents }: Extract<ResponseBody, { kind: 'whole' }>,
): ReadResponse {
  const empty = emptyReading(prompt);
  const { format, value: asked } = prompt;
  const isKept = (asked as { store?: unknown } | null)?.store !== false;
  if (isEvents === true && format !== null) {
    const text = utf8.decode(bytes);
    const { slots, unscanned, signed, model } = format.readStream(text);
    return {
      reading: { ...empty, slots, unscanned, signed, model },
      calls: format.readStreamCalls(text),
      ids: isKept ? finish(format.readStreamIds(text)) : [],
    };
  }
  try {
    const { value, source } = parseStrictJson(bytes);
    const read =
      format === null
        ? readLeafTexts(value, 'assistant', () => source)
        : format.readResponse(value, () => source);
    const { slots, unscanned, signed, model } = read;
    const reading = { ...empty, slots, unscanned, signed, model };
    if (format === null) return { reading, calls: NO_CALLS, ids: [] };
    return {
      reading,
      calls: format.readCalls(value, () => source),
      ids: isKept ? format.readIds(value) : [],
    };
  } catch {
    // An unusual spelling in a response is harmless: it is read as plain text.
    const slots = [{ path: '#text', role: 'assistant' as const, text: utf8.decode(bytes) }];
    return { reading: { ...empty, slots }, calls: NO_CALLS, ids: [] };
  }
}
