import type { ServerResponse } from 'node:http';
import { isEventStream, readLeafTexts } from '@csg/shared/providers';
import { parseStrictJson } from '@csg/shared/text';
import { blockSentence } from '../inspect/block-reply.ts';
import { type Action, decideVerdict } from '../inspect/decide-exchange.ts';
import type { RequestReading } from '../inspect/request-reading.ts';
import { watchStream, watchText } from '../inspect/watch-stream.ts';
import { decodeBytes, gather } from './body-bytes.ts';
import { block, decideOn, type Exchange, endStreamWith, judgeHere } from './exchange-parts.ts';
import type { UpstreamAnswer } from './forward-request.ts';
import { breakClient, pipeToClient, relayAnswer, unpackedBody, writeAnswerHead } from './relay-answer.ts';

/** Answers are kept back whole up to this size. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * An answer to a prompt: JSON is judged before it passes, streams and other text while they do. What cannot be read is
 * for the policy to let through or hold back, and is reported.
 */
export function scanAnswer(exchange: Exchange, asked: RequestReading, answer: UpstreamAnswer): void {
  scan(exchange, asked, answer).catch(() => breakClient(exchange.response));
}

async function scan(exchange: Exchange, asked: RequestReading, answer: UpstreamAnswer): Promise<void> {
  const type = answer.headers['content-type'] ?? '';
  if (isEventStream(type)) return scanPassing(exchange, asked, answer, true);
  const isJson = /^application\/(?:[\w.+-]+\+)?json/i.test(type);
  const length = Number(answer.headers['content-length'] ?? Number.NaN);
  // Without a length, JSON of a shape unknown may be a stream in disguise: keeping it back would stop the page.
  if (isJson && (asked.dialect !== null || length <= MAX_ANSWER_BYTES)) {
    return scanWhole(exchange, asked, answer);
  }
  if (isJson || /^text\/|^application\/(?:x-)?(?:ndjson|javascript|xml)/i.test(type)) {
    return scanPassing(exchange, asked, answer, false);
  }
  if (answer.status === 204 || length === 0) return relayAnswer(answer, exchange.response);
  return passUnread(exchange, asked, answer, 'The answer is no text.', () =>
    relayAnswer(answer, exchange.response),
  );
}

async function scanWhole(exchange: Exchange, asked: RequestReading, answer: UpstreamAnswer): Promise<void> {
  const { response } = exchange;
  const gathered = await gather(answer.body, MAX_ANSWER_BYTES);
  if (gathered.kind === 'broken' || (gathered.kind === 'whole' && answer.isBroken()))
    return breakClient(response);
  if (gathered.kind === 'too-large') {
    const why = `The answer is larger than ${MAX_ANSWER_BYTES} bytes.`;
    return passUnread(exchange, asked, answer, why, () => {
      writeAnswerHead(response, answer);
      for (const chunk of gathered.head) (response as ServerResponse).write(chunk);
      pipeToClient(answer.body, answer, response);
    });
  }
  const { bytes } = gathered;
  const decoded = await decodeBytes(bytes, answer.headers['content-encoding'], MAX_ANSWER_BYTES * 4);
  const action = await decideOn(exchange, 'output', readAnswer(asked, decoded));
  pass(exchange, action, () => {
    writeAnswerHead(response, answer);
    (response as ServerResponse).end(bytes);
  });
}

function emptyReading(asked: RequestReading): RequestReading {
  return { ...asked, slots: [], unscanned: [], files: [], fault: null, isAmbiguous: false };
}

function readAnswer(asked: RequestReading, decoded: Buffer | null): RequestReading {
  const empty = emptyReading(asked);
  if (decoded === null) return { ...empty, fault: 'The answer is packed in an unknown way.' };
  try {
    const { value, source } = parseStrictJson(decoded);
    const read =
      asked.dialect === null
        ? readLeafTexts(value, 'assistant', () => source)
        : asked.dialect.readResponse(value, () => source);
    return { ...empty, slots: read.slots, unscanned: read.unscanned, model: read.model };
  } catch {
    // An odd answer harms nobody by its spelling: it is read as it stands.
    return { ...empty, slots: [{ path: '#text', role: 'assistant', text: decoded.toString('utf8') }] };
  }
}

/** By the policy alone: open it passes and is reported, closed it is held back. */
async function passUnread(
  exchange: Exchange,
  asked: RequestReading,
  answer: UpstreamAnswer,
  fault: string,
  relay: () => void,
): Promise<void> {
  const action = await decideOn(exchange, 'output', { ...emptyReading(asked), fault });
  if (action.kind === 'block') answer.body.destroy();
  pass(exchange, action, relay);
}

function pass(exchange: Exchange, action: Action, relay: () => void): void {
  if (action.kind === 'block') {
    block(exchange, action);
    return;
  }
  if (action.event !== null) exchange.deps.emit(action.event);
  if (!exchange.response.destroyed) relay();
}

async function scanPassing(
  exchange: Exchange,
  asked: RequestReading,
  answer: UpstreamAnswer,
  isEvents: boolean,
): Promise<void> {
  const { response, compiled, deps } = exchange;
  const body = unpackedBody(answer);
  if (body === null) {
    const why = 'The answer is packed in an unknown way.';
    return passUnread(exchange, asked, answer, why, () => relayAnswer(answer, response));
  }
  writeAnswerHead(response, answer, body === answer.body ? [] : ['content-encoding', 'content-length']);
  (response as ServerResponse).flushHeaders();
  const decoder = new TextDecoder();
  const judge = judgeHere(exchange, 'output');
  const watch = isEvents ? watchStream(judge, asked.dialect) : watchText(judge);
  let isReported = false;
  let isExcused = false;
  pipeToClient(body, answer, response, (chunk) => {
    if (isReported) return true;
    const verdict = watch.push(decoder.decode(chunk, { stream: true }));
    const isPassed = verdict.verdict.decision === 'allow';
    if (isPassed && (isExcused || verdict.exceptionId === null)) return true;
    if (isPassed) isExcused = true;
    else isReported = true;
    const action = decideVerdict(compiled, verdict, {
      host: exchange.opened.host,
      path: exchange.path,
      method: exchange.method,
      direction: 'output',
      reading: emptyReading(asked),
      nowMs: deps.now(),
      newEventId: deps.newEventId(),
    });
    if (action.kind !== 'block') {
      if (action.event !== null) deps.emit(action.event);
      return true;
    }
    deps.counters.blocked++;
    deps.emit(action.event);
    if (isEvents)
      endStreamWith(response, action.event, blockSentence(compiled.policy, 'output', action.event));
    else breakClient(response);
    return false;
  });
}
