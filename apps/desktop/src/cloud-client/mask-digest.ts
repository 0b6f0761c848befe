import { createHmac } from 'node:crypto';
import type { DigestOf } from '@csg/shared/streaming';

/** The device's credential, or without a service something that lasts as long as the process. */
export type DigestSecret = string | Uint8Array;

/**
 * Creates the digest for placeholders of masked values: stable for a value while the device has this credential, and
 * different on every other device.
 */
export const createMaskDigest = (secret: DigestSecret): DigestOf =>
  keyedDigest(secret, 'placeholders of masked values');

/** Creates the digest by which answers that passed here are known. */
export const createAnswerDigest = (secret: DigestSecret): DigestOf => keyedDigest(secret, 'answers');

function keyedDigest(secret: DigestSecret, purpose: string): DigestOf {
  const key = createHmac('sha256', secret).update(purpose).digest();
  return (text) => createHmac('sha256', key).update(text).digest();
}
