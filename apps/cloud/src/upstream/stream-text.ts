import { AMAZON_STREAM } from '@csg/shared/providers';
import type { Framing } from '@csg/shared/release';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a stream, as its format reads it. Throws where it is none. */
export async function streamText({
  headers,
  body,
}: {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}): Promise<string> {
  return isAmazonStream(headers['content-type'])
    ? (await eventStreams()).decodeEventStream(body)
    : utf8.decode(body);
}

/** What ends a stream, as its clients read it: `text` as the format writes it. */
export async function streamEnd(
  streamType: string,
  text: string,
  exception: 'validationException' | 'internalServerException' = 'validationException',
): Promise<Buffer | string> {
  return streamType === AMAZON_STREAM ? (await eventStreams()).encodeException(exception, text) : text;
}

/** Of streams that are no server-sent events. */
export async function framingOf(streamType: string): Promise<Framing | undefined> {
  return streamType === AMAZON_STREAM ? (await eventStreams()).amazonFraming : undefined;
}

export function isAmazonStream(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && contentType.toLowerCase().startsWith(AMAZON_STREAM);
}

/** Loaded with the first stream of Amazon's: few services meet one, and each start would pay for it. */
export const eventStreams = () => import('./amazon/event-stream.ts');
