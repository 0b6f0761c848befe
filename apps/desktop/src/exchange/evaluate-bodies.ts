import { isEventStream } from '@csg/shared/providers';
import type { LiveStream } from '@csg/shared/streaming';
import type { EvaluationTools, InspectedRequest } from '../inspect/evaluate-reading.ts';
import { evaluateRequest, type RequestVerdict } from '../inspect/evaluate-request.ts';
import { evaluateResponse, type ResponseVerdict } from '../inspect/evaluate-response.ts';
import type { RequestBody } from '../inspect/request-reading.ts';
import type { HttpHeaders } from '../upstream/open-request.ts';
import { decodeBytes } from './decode-bytes.ts';
import { type ExchangeAction, type GatheredBody, headerText } from './events.ts';
import { readRequestBody } from './read-body.ts';
import { MAX_BODY_BYTES } from './request-side.ts';
import { contentEncodingOf, MAX_RESPONSE_BYTES } from './response-side.ts';

/** Parses the body and evaluates its contents. */
export async function evaluateRequestBody(
  request: InspectedRequest,
  headers: HttpHeaders,
  body: GatheredBody,
  tools: EvaluationTools,
): Promise<RequestVerdict> {
  return evaluateRequest(request, await takeApart(body, headers), tools);
}

async function takeApart(body: GatheredBody, headers: HttpHeaders): Promise<RequestBody> {
  switch (body.kind) {
    case 'none':
    case 'opaque':
      return { kind: body.kind };
    case 'too-large':
      return { kind: 'unreadable', reason: `The body is larger than ${MAX_BODY_BYTES} bytes.` };
    case 'whole':
      return readRequestBody(body.bytes, headers);
  }
}

type Evaluated = Extract<ExchangeAction, { type: 'evaluate-response' }>;

/** `live`: the part already sent to the client; the verdict contains the rest. */
export async function evaluateResponseBody(
  request: InspectedRequest,
  { prompt, head, body }: Pick<Evaluated, 'prompt' | 'head' | 'body'>,
  tools: EvaluationTools,
  live: LiveStream | null = null,
): Promise<ResponseVerdict> {
  const isEvents = isEventStream(headerText(head.headers, 'content-type'));
  const stream = { isEvents, ...(live !== null && { sent: live.released().toString() }) };
  if ('unread' in body) {
    const unread = { kind: 'unread', reason: body.unread, ...stream } as const;
    const verdict = await evaluateResponse(request, prompt, unread, tools);
    return live === null || verdict.kind === 'block' ? verdict : { ...verdict, bytes: live.rest() };
  }
  const bytes = await decodeBytes(body.bytes, contentEncodingOf(head.headers), MAX_RESPONSE_BYTES * 4);
  const read =
    bytes === null
      ? ({ kind: 'unread', reason: 'The response uses an unknown encoding.' } as const)
      : ({ kind: 'whole', bytes, ...stream } as const);
  const verdict = await evaluateResponse(request, prompt, read, tools);
  if (live === null || verdict.kind === 'block') return verdict;
  return { ...verdict, bytes: live.restOf(Buffer.from(verdict.bytes ?? body.bytes)) };
}
