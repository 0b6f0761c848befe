import { createHmac, randomBytes } from 'node:crypto';
import type { DigestOf } from '@csg/shared/streaming';

/**
 * Creates the digest for placeholders of masked values: stable for a value while the device has this credential, and
 * different on every other device. Without a service it lasts as long as the process.
 */
export function createMaskDigest(credential: string | null): DigestOf {
  const secret = credential ?? randomBytes(32);
  const key = createHmac('sha256', secret).update('placeholders of masked values').digest();
  return (text) => createHmac('sha256', key).update(text).digest();
}
