import { CodedError } from '@csg/shared/contract';
import { EVENT_STREAM, endpointByName } from '@csg/shared/providers';
import { BodyError, decodeUtf8, jsonMembers, parseStrictJsonText } from '@csg/shared/text';
import type { Principal } from '../authenticate-key.ts';
import { relayCompletion } from '../relay-completion.ts';
import type { RelayDependencies, RelayRequest } from '../relay-request.ts';
import { readEvents } from './read-events.ts';

/** Connection data that applies to each of its requests. */
export type ConnectionRequest = Pick<
  RelayRequest,
  'headers' | 'requestId' | 'ipAddress' | 'signal' | 'query' | 'onStreamFailure'
>;

/** Fields that exist only in the envelope of the connection. */
const ENVELOPE = new Set(['type', 'stream', 'stream_id', 'background']);
const MAX_EVENT_CHARACTERS = 64 * 1024 * 1024;

/**
 * Handles a `response.create` of a WebSocket as the equivalent HTTP request, with every value unchanged. Yields the
 * events of the response that may be sent.
 */
export async function* createResponse(
  deps: RelayDependencies,
  principal: Principal,
  connection: ConnectionRequest,
  message: Buffer,
): AsyncGenerator<string> {
  const source = bodyOf(message);
  const reply = await relayCompletion(
    deps,
    principal,
    {
      ...connection,
      endpoint: endpointByName('openai-responses'),
      params: {},
      route: 'responses',
      ...{ source, bytes: Buffer.from(source), value: parseStrictJsonText(source) },
      onStreamVerdict: () => {},
    },
    () => {},
  );
  if (!String(reply.headers['content-type']).startsWith(EVENT_STREAM)) {
    throw new CodedError('provider_error', { message: 'The provider did not respond with a stream.' });
  }
  for await (const { data } of readEvents(piecesOf(reply.body), MAX_EVENT_CHARACTERS)) {
    // Comments have no data.
    if (data !== '' && data !== '[DONE]') yield data;
  }
}

function bodyOf(message: Buffer): string {
  let text: string;
  let value: unknown;
  try {
    text = decodeUtf8(message);
    value = parseStrictJsonText(text);
  } catch (error) {
    if (error instanceof BodyError) throw new CodedError('invalid_request', { message: error.message });
    throw error;
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || (value as { type?: unknown }).type !== 'response.create') {
    throw new CodedError('invalid_request', {
      message: 'A message must be a JSON object with the type response.create.',
    });
  }
  const kept = jsonMembers(text).filter(({ name }) => !ENVELOPE.has(name));
  return `{${[...kept.map(({ start, end }) => text.slice(start, end)), '"stream":true'].join(',')}}`;
}

async function* piecesOf(body: Buffer | string | AsyncIterable<string | Buffer>): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) yield Buffer.from(body);
  else for await (const piece of body) yield Buffer.from(piece);
}
