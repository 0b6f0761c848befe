/**
 * Releases parts of a response before the whole is known, and restores masked values of its request in it. Pure: bytes
 * in, bytes out. Called by the cloud's flows and by the device's exchanges.
 */
export { createRelease } from './create-release.ts';
export type { Framing } from './framing.ts';
export { LiveBytes } from './live-bytes.ts';
export type { LiveRelease } from './live-release.ts';
export { restoreFrames } from './restore-frames.ts';
export { restoreResponse, type ValuesToRestore } from './restore-response.ts';
export { type DigestOf, type RoundTrip, roundTrip } from './round-trip.ts';
