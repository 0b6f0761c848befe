/**
 * The path of a stream from the provider's bytes to the client's: frames, the texts that they continue, how much of each
 * can be released before the whole response is evaluated, and masked values of the request restored in it. Pure: bytes
 * in, bytes out. Called by the cloud's flows and by the device's exchanges.
 */
export type { Framing } from './frames.ts';
export type { LiveRelease } from './live-release.ts';
export { canRelease, createRelease, LiveStream } from './live-stream.ts';
export { restoreBody, type ValuesToRestore } from './restore.ts';
export { type DigestOf, type RoundTrip, roundTrip } from './round-trip.ts';
export { type EvaluateSlots, type StreamWatch, watchStream, watchText } from './watch-stream.ts';
