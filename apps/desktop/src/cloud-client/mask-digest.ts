import { createHmac, randomBytes } from 'node:crypto';
import type { DigestOf } from '@csg/shared/release';

/**
 * What placeholders of masked values are made of: the same for a value as long as the device has this credential, and
 * another on every other device. Without a service it lasts as long as the process.
 */
export function createMaskDigest(credential: string | null): DigestOf {
  const secret = credential ?? randomBytes(32);
  const key = createHmac('sha256', secret).update('placeholders of masked values').digest();
  return (text) => createHmac('sha256', key).update(text).digest();
}
