import { CodedError } from '@csg/shared/contract';
import type { MinuteLimiter } from '../../limits/minute-limiter.ts';
import type { Clock } from '../clock.ts';

/** Emails per minute for each kind of sender: an anonymous network address, an organization's admins, its directory. */
const PER_MINUTE = { address: 10, organization: 60, directory: 300 } as const;
/** Emails per minute to one mailbox, for each kind of sender. */
const TO_ONE_PER_MINUTE = 2;

/** Limits the emails that one caller can cause, for known and unknown addresses alike, so that no mailbox is flooded. */
export async function limitEmails(
  deps: { readonly limiter: MinuteLimiter; readonly clock: Clock },
  cause: { readonly kind: keyof typeof PER_MINUTE; readonly id: string },
  email: string,
): Promise<void> {
  const windows = [
    await deps.limiter.take(`mails:${cause.kind}:${cause.id}`, PER_MINUTE[cause.kind]),
    await deps.limiter.take(`mails-to:${cause.kind}:${email.trim().toLowerCase()}`, TO_ONE_PER_MINUTE),
  ];
  const full = windows.find((window) => !window.allowed);
  if (full === undefined) return;
  const retryAfter = Math.max(1, Math.ceil(full.resetAtS - deps.clock.now() / 1000));
  throw new CodedError('rate_limit_exceeded', {
    message: 'Too many emails this minute. Try again in the next one.',
    fields: { retry_after: retryAfter },
    headers: { 'Retry-After': String(retryAfter) },
  });
}
