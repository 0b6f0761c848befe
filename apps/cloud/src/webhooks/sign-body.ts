import { createHmac } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@csg/shared/contract';

/** `sha256=<hex>`: HMAC-SHA-256 over the raw bytes of the body. */
export function signBody(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** The current secret first; while the previous one is valid, its signature is added. */
export function signatureHeaders(body: Buffer, secrets: readonly string[]): Record<string, string> {
  const [present, previous] = secrets;
  return {
    ...(present === undefined ? {} : { [WEBHOOK_HEADERS.signature]: signBody(body, present) }),
    ...(previous === undefined ? {} : { [WEBHOOK_HEADERS.previousSignature]: signBody(body, previous) }),
  };
}
