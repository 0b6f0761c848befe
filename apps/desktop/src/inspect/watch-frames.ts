import { type StreamWatch, watchText } from '@csg/shared/streaming';
import { type Action, decideExchange, decideVerdict } from './decide-exchange.ts';
import type { DeviceVerdict } from './decide-texts.ts';
import type { EvaluationTools, InspectedRequest } from './evaluate-reading.ts';
import { evaluateLocally, type PieceVerdict, type ResponseWatch } from './evaluate-response.ts';
import type { FieldText } from './protobuf-texts.ts';
import { type FramedMessage, messageTexts } from './read-messages.ts';
import { newReading } from './request-reading.ts';

const PASSES: PieceVerdict = { kind: 'forward', event: null };
/** Maximum number of fields read as separate texts; the rest form one text. */
const MAX_FIELDS = 200;

/**
 * Evaluates a response of messages while it is sent. A text comes in pieces of one field, so each field is one text.
 * `readFrames` returns null once the stream is unreadable.
 */
export function watchFrames(
  request: InspectedRequest,
  readFrames: (bytes: Uint8Array) => readonly FramedMessage[] | null,
  tools: Pick<EvaluationTools, 'now' | 'newEventId'>,
): ResponseWatch {
  const { compiled, host, path, method } = request;
  const evaluate = evaluateLocally(request, tools.now);
  const fields = new Map<string, StreamWatch<DeviceVerdict>>();
  let isReported = false;
  let isUnread = false;

  const facts = (problem: string | null) => ({
    ...{ host, path, method, direction: 'output' as const, reading: newReading({ problem }) },
    ...{ nowMs: tools.now(), newEventId: tools.newEventId() },
  });

  function fieldOf(name: string): StreamWatch<DeviceVerdict> {
    const known = fields.get(name);
    if (known !== undefined) return known;
    if (fields.size > MAX_FIELDS) return fieldOf('');
    const watch = watchText(evaluate);
    fields.set(name, watch);
    return watch;
  }

  function unread(): Action | null {
    if (isUnread) return null;
    isUnread = true;
    const problem = 'A message of the response is not text, or uses an unknown encoding.';
    return decideExchange(compiled, { ...facts(problem), turn: null, outcomes: null });
  }

  function decide({ path: field, text }: FieldText): Action | null {
    const verdict = fieldOf(field).push(text);
    if (verdict.verdict.decision === 'allow' && verdict.exceptionId === null) return null;
    isReported = true;
    return decideVerdict(compiled, verdict, facts(null));
  }

  return {
    push(bytes) {
      if (isReported) return PASSES;
      const read = readFrames(bytes)?.map(messageTexts) ?? [null];
      const actions = read.flatMap((message) => {
        const isWhole = message !== null && !message.hasBytes;
        return [...(message?.texts.map(decide) ?? []), ...(isWhole ? [] : [unread()])];
      });
      const decided = actions.filter((action) => action !== null);
      const block = decided.find((action) => action.kind === 'block');
      if (block !== undefined) return { kind: 'block', event: block.event, frame: null };
      const event = decided.find((action) => action.event !== null)?.event ?? null;
      return event === null ? PASSES : { kind: 'forward', event };
    },
  };
}
