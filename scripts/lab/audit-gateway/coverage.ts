import { type Endpoint, formatOf } from '@csg/shared/providers';
import { onTheWire, readAmazonMessages } from '../../../test/support/amazon-stream.ts';
import { type Place, placesOf, plain } from '../../../test/support/canary-template.ts';
import { type Frame, type Samples, spellFrames } from '../../../test/support/provider-samples.ts';
import type { RawReply, TestProvider } from '../../../test/support/test-provider.ts';
import type { Target } from './target.ts';

/** The result for the canaries in one direction of one endpoint. */
export interface Coverage {
  readonly endpoint: string;
  readonly part: 'request' | 'request of a stream' | 'response' | 'stream' | 'stream, split';
  /** False: the gateway does not serve it, or does not pass a body without a canary. */
  readonly isServed: boolean;
  readonly places: number;
  /** JSON pointers of canaries that arrived unchanged. */
  readonly unread: readonly string[];
}

/** Plants the canary at every place of an endpoint's bodies, one at a time. */
export async function measureCoverage(
  samples: Samples,
  target: Target,
  testProvider: TestProvider,
  canary: string,
): Promise<Coverage[]> {
  const { endpoint } = samples;
  const results: Coverage[] = [];
  if (endpoint.streams !== 'always') {
    results.push(await auditRequests(samples, target, testProvider, canary, false));
    results.push(await auditResponse(samples, target, testProvider, canary));
  }
  if (endpoint.streams !== 'never') {
    results.push(await auditRequests(samples, target, testProvider, canary, true));
    results.push(await auditStream(samples, target, testProvider, canary));
    if (samples.pieces.size > 0) results.push(await auditSplit(samples, target, testProvider, canary));
  }
  return results;
}

async function auditRequests(
  samples: Samples,
  target: Target,
  testProvider: TestProvider,
  canary: string,
  isStream: boolean,
): Promise<Coverage> {
  const { endpoint, requests, isCredential } = samples;
  testProvider.answer(isStream ? streamReply(endpoint, samples.frames) : wholeReply(plain(samples.response)));
  const unread: string[] = [];
  let [places, isServed] = [0, requests.length > 0];
  for (const request of requests) {
    const send = (body: unknown) => target.post(samples, body, isStream);
    if (!(await arrives(testProvider, () => send(plain(request))))) isServed = false;
    if (!isServed) break;
    for (const place of placesOf(request).filter(({ pointer }) => !isCredential(pointer))) {
      places++;
      const before = testProvider.requests.length;
      await send(place.put(canary));
      const arrived = testProvider.requests.slice(before).map(({ body }) => body.toString());
      if (arrived.some((text) => holds(text, place, canary))) unread.push(place.pointer);
    }
    await forget(testProvider);
  }
  return {
    endpoint: endpoint.name,
    part: isStream ? 'request of a stream' : 'request',
    isServed,
    places,
    unread,
  };
}

async function auditResponse(
  samples: Samples,
  target: Target,
  testProvider: TestProvider,
  canary: string,
): Promise<Coverage> {
  const { endpoint, response, requests, isCredential } = samples;
  const receive = async (body: unknown): Promise<string> => {
    testProvider.answer(wholeReply(body));
    const { status, body: received } = await target.post(samples, plain(requests.at(-1)!), false);
    // An error instead of the response: the text was scanned, even if the error quotes it.
    return status < 400 ? received.toString() : '';
  };
  const isServed = await arrives(testProvider, async () =>
    target.post(samples, plain(requests.at(-1)!), false),
  );
  const places = isServed ? placesOf(response).filter(({ pointer }) => !isCredential(pointer)) : [];
  const unread = await unreadOf(places, async (place) =>
    holds(await receive(place.put(canary)), place, canary),
  );
  await forget(testProvider);
  return { endpoint: endpoint.name, part: 'response', isServed, places: places.length, unread };
}

async function auditStream(
  samples: Samples,
  target: Target,
  testProvider: TestProvider,
  canary: string,
): Promise<Coverage> {
  const { endpoint, frames } = samples;
  const isServed = await passesStream(samples, target, testProvider);
  let places = 0;
  const unread: string[] = [];
  for (const [index, frame] of isServed ? frames.entries() : []) {
    const found = placesOf(frame.data);
    places += found.length;
    const pointers = await unreadOf(found, async (place) => {
      const data = place.put(canary) as Frame['data'];
      const text = await receiveStream(samples, target, testProvider, frames.with(index, { ...frame, data }));
      return holds(text, place, canary);
    });
    unread.push(...pointers.map((pointer) => `frame ${index}: ${pointer}`));
    await forget(testProvider);
  }
  return { endpoint: endpoint.name, part: 'stream', isServed, places, unread };
}

/** Splits the canary over two frames of the same text. */
async function auditSplit(
  samples: Samples,
  target: Target,
  testProvider: TestProvider,
  canary: string,
): Promise<Coverage> {
  const { endpoint, frames, pieces } = samples;
  const isServed = await passesStream(samples, target, testProvider);
  const half = Math.floor(canary.length / 2);
  const halves = [canary.slice(0, half), canary.slice(half)];
  const unread: string[] = [];
  for (const [name, { frame }] of isServed ? pieces : []) {
    const split = halves.map((piece) => frame(piece));
    const text = await receiveStream(samples, target, testProvider, [...frames.slice(0, 1), ...split]);
    if (halves.every((piece) => text.includes(JSON.stringify(piece).slice(1, -1)))) unread.push(name);
  }
  await forget(testProvider);
  const places = isServed ? pieces.size : 0;
  return { endpoint: endpoint.name, part: 'stream, split', isServed, places, unread };
}

async function passesStream(samples: Samples, target: Target, testProvider: TestProvider): Promise<boolean> {
  return arrives(testProvider, async () => {
    testProvider.answer(streamReply(samples.endpoint, samples.frames));
    return target.post(samples, plain(samples.requests.at(-1)!), true);
  });
}

async function receiveStream(
  samples: Samples,
  target: Target,
  testProvider: TestProvider,
  frames: readonly Frame[],
): Promise<string> {
  testProvider.answer(streamReply(samples.endpoint, frames));
  const { status, body } = await target.post(samples, plain(samples.requests.at(-1)!), true);
  return status < 400 ? readStream(samples.endpoint, body) : '';
}

/** Amazon's frames are binary, and those of one endpoint contain JSON in base64. */
function readStream(endpoint: Endpoint, body: Buffer): string {
  if (!formatOf(endpoint).streamType.includes('amazon')) return body.toString();
  return readAmazonMessages(body)
    .map(({ payload }) => {
      const { bytes } = JSON.parse(payload) as { readonly bytes?: string };
      return bytes === undefined ? payload : Buffer.from(bytes, 'base64').toString();
    })
    .join('\n');
}

async function unreadOf(
  places: readonly Place[],
  isUnread: (place: Place) => Promise<boolean>,
): Promise<string[]> {
  const unread: string[] = [];
  for (const place of places) if (await isUnread(place)) unread.push(place.pointer);
  return unread;
}

async function arrives(
  testProvider: TestProvider,
  call: () => Promise<{ readonly status: number }>,
): Promise<boolean> {
  const before = testProvider.requests.length;
  const { status } = await call();
  return status === 200 && testProvider.requests.length > before;
}

/** Also finds the canary in the encoding in which it was planted: within JSON, base64 or an address. */
function holds(text: string, place: Place, canary: string): boolean {
  if (text.includes(canary)) return true;
  const others = new Set(stringsOf(place.put('harmless')));
  const spelled = stringsOf(place.put(canary)).filter((one) => !others.has(one));
  return spelled.some((one) => text.includes(JSON.stringify(one).slice(1, -1)));
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsOf(member)]);
}

const wholeReply = (body: unknown): RawReply => ({ body: JSON.stringify(body) });
const streamReply = (endpoint: Endpoint, frames: readonly Frame[]): RawReply => ({
  headers: { 'content-type': formatOf(endpoint).streamType },
  body: [onTheWire(endpoint, spellFrames(endpoint, frames))],
});

/** Avoids keeping thousands of requests in memory. */
async function forget(testProvider: TestProvider): Promise<void> {
  await testProvider.reset();
}
