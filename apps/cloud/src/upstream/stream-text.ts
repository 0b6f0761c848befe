import { AMAZON_STREAM } from '@csg/shared/providers';
import type { Framing } from '@csg/shared/streaming';
import type { Pace } from '@csg/shared/text';

const utf8 = new TextDecoder('utf-8', { fatal: true });

interface StreamBody {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Returns the text of a stream in its format. Throws if the stream is invalid. */
export async function streamText({ headers, body }: StreamBody, pace: Pace): Promise<string> {
  return isAmazonStream(headers['content-type'])
    ? await pace((await eventStreams()).decodeEventStream(body))
    : utf8.decode(body);
}

/** Returns the end of a stream for its clients, in which `text` is already in the stream's format. */
export async function streamEnd(
  streamType: string,
  text: string,
  exception: 'validationException' | 'internalServerException' = 'validationException',
): Promise<Buffer | string> {
  return streamType === AMAZON_STREAM ? (await eventStreams()).encodeException(exception, text) : text;
}

/** Framing of streams that are not server-sent events. */
export async function framingOf(streamType: string): Promise<Framing | undefined> {
  return streamType === AMAZON_STREAM ? (await eventStreams()).amazonFraming : undefined;
}

export function isAmazonStream(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && contentType.toLowerCase().startsWith(AMAZON_STREAM);
}

/** Loaded with the first Amazon stream: few services have one, and loading slows down every start. */
export const eventStreams = () => import('./amazon/event-stream.ts');
