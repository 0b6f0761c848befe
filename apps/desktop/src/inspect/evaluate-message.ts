import { formatByName, signedKeys } from '@csg/shared/providers';
import { watchStream } from '@csg/shared/streaming';
import { finish, parseStrictJson } from '@csg/shared/text';
import { blockSentence } from './block-reply.ts';
import { type Action, decideExchange, decideVerdict } from './decide-exchange.ts';
import type { DecisionEvent } from './decision-event.ts';
import { type EvaluationTools, evaluateReading, type InspectedRequest } from './evaluate-reading.ts';
import { inputVerdict, withoutAnswered } from './evaluate-request.ts';
import { evaluateLocally, outputVerdict } from './evaluate-response.ts';
import { heldCalls } from './held-calls.ts';
import { decideHeld } from './hold-tool-calls.ts';
import { readRequest } from './read-request.ts';
import { newReading, type RequestBody, type RequestReading } from './request-reading.ts';
import { createSocketConversation } from './socket-conversation.ts';

/** The verdict on a WebSocket message of the client. `value`: the message, if it is JSON. */
export type MessageVerdict = { readonly isUnanswered: boolean } & (
  | { readonly kind: 'forward'; readonly event: DecisionEvent | null; readonly value: unknown }
  | { readonly kind: 'rewrite'; readonly event: DecisionEvent; readonly text: Uint8Array }
  /** `reply` is sent to the client instead: the conversation continues. */
  | { readonly kind: 'block'; readonly event: DecisionEvent; readonly reply: string }
);

export async function evaluateMessage(
  request: InspectedRequest,
  bytes: Uint8Array,
  isBinary: boolean,
  tools: EvaluationTools,
): Promise<MessageVerdict> {
  const reading = withoutAnswered(readMessage(request.host, bytes, isBinary), request.host, tools.memory);
  const { action, isUnanswered } = await evaluateReading(request, 'input', reading, tools);
  const verdict = inputVerdict(request, reading, action);
  const { event } = verdict;
  switch (verdict.kind) {
    case 'forward':
      return { kind: 'forward', event, value: reading.value, isUnanswered };
    case 'rewrite':
      return { kind: 'rewrite', event: verdict.event, text: verdict.body ?? bytes, isUnanswered };
    case 'block': {
      const message = blockSentence(request.compiled.policy, 'input', verdict.event);
      // The form in which realtime APIs reject an event.
      const error = {
        type: 'content_filter',
        code: 'request_blocked',
        message,
        event_id: eventIdOf(reading),
      };
      const reply = JSON.stringify({ type: 'error', event_id: verdict.event.eventId, error });
      return { kind: 'block', event: verdict.event, reply, isUnanswered };
    }
  }
}

function readMessage(host: string, bytes: Uint8Array, isBinary: boolean): RequestReading {
  const body: RequestBody = isBinary ? { kind: 'opaque' } : { kind: 'json', bytes };
  const readAt = (path: string): RequestReading => readRequest({ method: 'POST', host, path, body });
  const own = readAt('/');
  const reading = isResponseCreate(own.value) ? readAt(RESPONSES) : own;
  return isSound(reading.slots) ? { ...reading, slots: [], problem: 'It is an audio recording.' } : reading;
}

const RESPONSES = '/v1/responses';

/** True for a request of the Responses API, in whose place it stands; in the Realtime API it is nested. */
function isResponseCreate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'type' in value && value.type === 'response.create' && !('response' in value);
}

/** True for a message that contains only base64 audio and no text. */
function isSound(slots: readonly { readonly text: string }[]): boolean {
  const long = slots.filter((slot) => slot.text.length > 40);
  return (
    long.length > 0 &&
    long.every((slot) => /^[A-Za-z0-9+/]+={0,2}$/.test(slot.text) && slot.text.length > 256)
  );
}

function eventIdOf({ value }: RequestReading): string | null {
  const id = (value as { event_id?: unknown } | null)?.event_id;
  return typeof id === 'string' ? id : null;
}

/** Events of the Responses and the Realtime API that contain a complete item of the response. */
const COMPLETES_ITEM = /"response\.(?:output_item\.done|completed|done)"/;

function parsed(bytes: Uint8Array): unknown {
  try {
    return parseStrictJson(bytes).value;
  } catch {
    return null;
  }
}

/** Evaluates the messages of the provider. */
export interface MessageWatch {
  /**
   * Notes what the client sent on the same socket and the provider received: values of later calls may come from it.
   * `value`: the parsed message, if known.
   */
  noteClient(bytes: Uint8Array, value?: unknown): void;
  push(
    bytes: Uint8Array,
    isBinary: boolean,
  ): { readonly kind: 'forward' | 'block'; readonly event: DecisionEvent | null };
}

const PASSES = { kind: 'forward', event: null } as const;
const responses = formatByName('openai-responses');

/** Reads the provider's messages as one stream; after a recorded decision the rest passes unchanged. */
export function watchMessages(
  request: InspectedRequest,
  tools: Pick<EvaluationTools, 'now' | 'newEventId' | 'memory'>,
): MessageWatch {
  const { compiled, host, path, method } = request;
  const watch = watchStream(evaluateLocally(request, tools.now), null);
  const decoder = new TextDecoder();
  const factsNow = () => ({
    host,
    path,
    method,
    direction: 'output' as const,
    reading: newReading({}),
    nowMs: tools.now(),
    newEventId: tools.newEventId(),
  });
  const conversation = createSocketConversation();
  const holdsCalls = compiled.policy.ruleset.toolCalls !== undefined;
  /** A call is complete in one event, and no client runs it earlier. A WebSocket does not wait for an approval. */
  const heldAction = (bytes: Uint8Array, text: string): Action | null => {
    // An escape may hide the type of the event.
    if (!holdsCalls || !(COMPLETES_ITEM.test(text) || text.includes('\\u'))) return null;
    const prompt = conversation.reading();
    conversation.add(parsed(bytes), bytes.length);
    const calls = responses.readStreamCalls(asFrame(text));
    const [first] = heldCalls(request, prompt, calls, tools.now());
    return first === undefined ? null : decideHeld(request, prompt, first, tools);
  };
  /** Notes what the client may send back: ids, and blocks that the provider signed. */
  const noteAnswer = (text: string): void => {
    if (!(COMPLETES_ITEM.test(text) || text.includes('\\u'))) return;
    const frame = asFrame(text);
    const { signed } = responses.readStream(frame);
    tools.memory.storeAnswer(host, [
      ...finish(responses.readStreamIds(frame)),
      ...signed.flatMap(signedKeys),
    ]);
  };
  let isReported = false;
  const judge: MessageWatch['push'] = (bytes, isBinary) => {
    const text = isBinary ? '' : decoder.decode(bytes);
    const held = heldAction(bytes, text);
    if (held !== null && held.kind === 'block') return outputVerdict(held);
    if (isReported) return PASSES;
    if (isBinary) {
      const reading = newReading({ problem: 'It is an audio recording or another binary message.' });
      const facts = { ...factsNow(), reading, turn: null, outcomes: null };
      return outputVerdict(decideExchange(compiled, facts));
    }
    const verdict = watch.push(asFrame(text));
    if (verdict.verdict.decision === 'allow' && verdict.exceptionId === null) return PASSES;
    isReported = true;
    return outputVerdict(decideVerdict(compiled, verdict, factsNow()));
  };
  return {
    noteClient: (bytes, value) => {
      if (holdsCalls) conversation.add(value ?? parsed(bytes), bytes.length);
    },
    push(bytes, isBinary) {
      const verdict = judge(bytes, isBinary);
      if (verdict.kind === 'forward' && !isBinary) noteAnswer(decoder.decode(bytes));
      return verdict;
    },
  };
}

/** Converts a message to an event of a stream. */
function asFrame(message: string): string {
  return `data: ${message.replace(/[\r\n]+/g, ' ')}\n\n`;
}
