import type { ServerResponse } from 'node:http';
import { isEventStream, readLeafTexts } from '@csg/shared/dialects';
import { parseStrictJson } from '@csg/shared/text';
import { blockSentence } from '../inspect/block-reply.ts';
import { decideVerdict } from '../inspect/decide-exchange.ts';
import type { RequestReading } from '../inspect/request-reading.ts';
import { watchStream } from '../inspect/watch-stream.ts';
import { decodeBytes, gather } from './body-bytes.ts';
import { block, decideOn, type Exchange, endStreamWith } from './exchange-parts.ts';
import type { UpstreamAnswer } from './forward-request.ts';
import { breakClient, pipeToClient, relayAnswer, unpackedBody, writeAnswerHead } from './relay-answer.ts';

/** Answers are kept back whole up to this size; larger ones pass. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** An answer to a prompt: JSON is judged before it passes, a stream while it does. Everything else is no text. */
export function scanAnswer(exchange: Exchange, asked: RequestReading, answer: UpstreamAnswer): void {
  const type = answer.headers['content-type'] ?? '';
  if (isEventStream(type)) {
    scanStream(exchange, asked, answer);
    return;
  }
  const isJson = /^application\/(?:[\w.+-]+\+)?json/i.test(type);
  const length = Number(answer.headers['content-length'] ?? Number.NaN);
  // Without a length, JSON of a shape unknown may be a stream in disguise: keeping it back would stop the page.
  if (isJson && (asked.dialect !== null || length <= MAX_ANSWER_BYTES)) {
    scanWhole(exchange, asked, answer).catch(() => breakClient(exchange.response));
    return;
  }
  relayAnswer(answer, exchange.response);
}

async function scanWhole(exchange: Exchange, asked: RequestReading, answer: UpstreamAnswer): Promise<void> {
  const { response } = exchange;
  const gathered = await gather(answer.body, MAX_ANSWER_BYTES);
  if (gathered.kind === 'broken' || (gathered.kind === 'whole' && answer.isBroken()))
    return breakClient(response);
  if (gathered.kind === 'too-large') {
    writeAnswerHead(response, answer);
    for (const chunk of gathered.head) (response as ServerResponse).write(chunk);
    pipeToClient(answer.body, answer, response);
    return;
  }
  const { bytes } = gathered;
  const decoded = await decodeBytes(bytes, answer.headers['content-encoding'], MAX_ANSWER_BYTES * 4);
  const reading = readAnswer(asked, decoded);
  const action = await decideOn(exchange, 'output', reading);
  if (action.kind === 'block') {
    block(exchange, action);
    return;
  }
  if (action.event !== null) exchange.deps.emit(action.event);
  if (response.destroyed) return;
  writeAnswerHead(response, answer);
  (response as ServerResponse).end(bytes);
}

function readAnswer(asked: RequestReading, decoded: Buffer | null): RequestReading {
  const empty = { ...asked, slots: [], unscanned: [], fault: null, isAmbiguous: false };
  if (decoded === null) return { ...empty, fault: 'The answer is packed in an unknown way.' };
  try {
    const { value } = parseStrictJson(decoded);
    const read = asked.dialect === null ? readLeafTexts(value, 'assistant') : asked.dialect.readAnswer(value);
    return { ...empty, slots: read.slots, unscanned: read.unscanned, model: read.model };
  } catch {
    // An odd answer harms nobody by its spelling: it is read as it stands.
    return { ...empty, slots: [{ path: '#text', role: 'assistant', text: decoded.toString('utf8') }] };
  }
}

function scanStream(exchange: Exchange, asked: RequestReading, answer: UpstreamAnswer): void {
  const { response, compiled, deps } = exchange;
  const body = unpackedBody(answer);
  if (body === null) {
    relayAnswer(answer, response);
    return;
  }
  writeAnswerHead(response, answer, body === answer.body ? [] : ['content-encoding', 'content-length']);
  (response as ServerResponse).flushHeaders();
  const decoder = new TextDecoder();
  const watch = watchStream(compiled, asked.dialect);
  let isReported = false;
  pipeToClient(body, answer, response, (chunk) => {
    if (isReported) return true;
    const verdict = watch.push(decoder.decode(chunk, { stream: true }));
    if (verdict.decision === 'allow') return true;
    isReported = true;
    const action = decideVerdict(compiled, verdict, {
      host: exchange.opened.host,
      path: exchange.path,
      method: exchange.method,
      direction: 'output',
      reading: asked,
      nowMs: deps.now(),
      newEventId: deps.newEventId(),
    });
    if (action.kind !== 'block') {
      if (action.event !== null) deps.emit(action.event);
      return true;
    }
    deps.counters.blocked++;
    deps.emit(action.event);
    endStreamWith(response, action.event, blockSentence(compiled.policy, 'output', action.event));
    return false;
  });
}
