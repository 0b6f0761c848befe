import { AMAZON_STREAM, type Endpoint, formatOf } from '@csg/shared/providers';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { fromUtf8, toUtf8 } from '@smithy/core/serde';

const codec = new EventStreamCodec(toUtf8, fromUtf8);

/** One message of an event stream in Bedrock's format. */
export function amazonMessage(type: string, payload: string, kind = 'event'): Buffer {
  const string = (value: string) => ({ type: 'string' as const, value });
  return Buffer.from(
    codec.encode({
      headers: {
        ':message-type': string(kind),
        [`:${kind}-type`]: string(type),
        ':content-type': string('application/json'),
      },
      body: fromUtf8(payload),
    }),
  );
}

/** Frames of a stream, one JSON value per line, in the format of a Bedrock endpoint; unchanged for any other. */
export function onTheWire(endpoint: Endpoint, text: string): Buffer | string {
  if (formatOf(endpoint).streamType !== AMAZON_STREAM) return text;
  const lines = text.split('\n').filter((line) => line !== '');
  return Buffer.concat(
    lines.map((line) => {
      if (endpoint.name.startsWith('bedrock-invoke')) {
        const bytes = Buffer.from(line).toString('base64');
        return amazonMessage('chunk', JSON.stringify({ bytes, p: 'abcdef' }));
      }
      const { type, ...payload } = JSON.parse(line) as Readonly<Record<string, unknown>>;
      return amazonMessage(String(type), JSON.stringify(payload));
    }),
  );
}

export interface AmazonMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

export function readAmazonMessages(body: Buffer): AmazonMessage[] {
  const messages: AmazonMessage[] = [];
  for (let at = 0; at < body.length; at += body.readUInt32BE(at)) {
    const message = codec.decode(body.subarray(at, at + body.readUInt32BE(at)));
    const headers = Object.entries(message.headers).map(([name, { value }]) => [name, String(value)]);
    messages.push({ headers: Object.fromEntries(headers), payload: toUtf8(message.body) });
  }
  return messages;
}

/** The content of an endpoint's stream: for Amazon's the payloads of its messages. */
export function textOfStream(endpoint: Endpoint, body: Buffer): string {
  if (formatOf(endpoint).streamType !== AMAZON_STREAM) return body.toString();
  return readAmazonMessages(body)
    .map(({ payload }) => payload)
    .join('');
}
