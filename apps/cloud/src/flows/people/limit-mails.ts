import { CodedError } from '@csg/shared/contract';
import type { MinuteLimiter } from '../../limits/minute-limiter.ts';
import type { Clock } from '../clock.ts';

/** Mails that one address may cause in a minute without being signed in, and how many of them to one mailbox. */
const PER_MINUTE = 10;
const TO_ONE_PER_MINUTE = 2;

/** Holds an address to few mails, whether the mailbox is known here or not: nobody's is filled from here. */
export async function limitMails(
  deps: { readonly limiter: MinuteLimiter; readonly clock: Clock },
  address: string,
  email: string,
): Promise<void> {
  const windows = [
    await deps.limiter.take(`mails:${address}`, PER_MINUTE),
    await deps.limiter.take(`mails-to:${email.trim().toLowerCase()}`, TO_ONE_PER_MINUTE),
  ];
  const full = windows.find((window) => !window.allowed);
  if (full === undefined) return;
  const retryAfter = Math.max(1, Math.ceil(full.resetAtS - deps.clock.now() / 1000));
  throw new CodedError('rate_limit_exceeded', {
    fields: { retry_after: retryAfter },
    headers: { 'Retry-After': String(retryAfter) },
  });
}
