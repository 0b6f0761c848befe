import { EmailRejectedError, type EmailSender } from '../../email/email-sender.ts';
import type { EmailWithText, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';

export interface SendEmailsDeps {
  readonly storage: Pick<Storage, 'emails'>;
  readonly emailSender: EmailSender;
  readonly clock: Clock;
  readonly log: { warn(fields: object, message: string): void };
  /** Called after every attempt with the new status of the email. */
  readonly observeEmail?: (status: 'sent' | 'pending' | 'failed') => void;
}

const MINUTE_MS = 60_000;
/** Longer than a server may take for a whole batch, so that only one sender has an email at a time. */
const LEASE_MS = 10 * MINUTE_MS;
const BATCH = 10;
const RETRY_AFTER_MS = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];
const RETRY_LATER_MS = 2 * 60 * MINUTE_MS;
/** An email that could not be delivered for this long is useless: its links have expired. */
const GIVE_UP_AFTER_MS = 3 * 24 * 60 * MINUTE_MS;

/** Sends emails that are due; returns how many were claimed. At least once: after a crash an email is sent again. */
export async function sendEmails(
  deps: SendEmailsDeps,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const due = await deps.storage.emails.claim(deps.clock.now(), LEASE_MS, BATCH);
  for (const email of due) {
    if (isStopped()) break;
    await sendOne(deps, email);
  }
  return due.length;
}

async function sendOne(deps: SendEmailsDeps, email: EmailWithText): Promise<void> {
  const { storage, emailSender, clock, log } = deps;
  const ageMs = clock.now() - email.createdAtMs;
  try {
    if (email.text === null || ageMs > GIVE_UP_AFTER_MS)
      throw new Error('The email could not be sent in time.');
    await emailSender.send({ id: email.id, to: email.to, subject: email.subject, text: email.text });
  } catch (error) {
    const isFinal = error instanceof EmailRejectedError || ageMs > GIVE_UP_AFTER_MS;
    const waitMs = RETRY_AFTER_MS[email.attempts - 1] ?? RETRY_LATER_MS;
    const message = oneLine((error as Error).message);
    await storage.emails.markFailed(email.id, message, isFinal ? null : clock.now() + waitMs);
    deps.observeEmail?.(isFinal ? 'failed' : 'pending');
    log.warn(
      { mail_id: email.id, attempts: email.attempts, is_final: isFinal },
      'an email could not be sent',
    );
    return;
  }
  await storage.emails.markSent(email.id, clock.now());
  deps.observeEmail?.('sent');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 500);
}
