import { CodedError, ValidationError } from '@csg/shared/contract';
import type { Repositories } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import type { Links } from '../links.ts';
import type { AccountDeps } from './account-deps.ts';
import { confirmPassword } from './confirm-password.ts';
import { securityNoticeEmail, verificationEmail } from './email-texts.ts';
import type { SignedIn } from './read-session.ts';
import { recordForPerson } from './record-for-person.ts';

const LINK_LIFE_MS = 24 * 60 * 60_000;
const RESEND_AFTER_MS = 60_000;

/** Emails a link that verifies this address; links sent before become invalid. */
export async function sendVerification(
  repositories: Pick<Repositories, 'accountLinks' | 'emails'>,
  deps: { readonly clock: Clock; readonly links: Links },
  userId: string,
  email: string,
): Promise<void> {
  const nowMs = deps.clock.now();
  const newestMs = await repositories.accountLinks.newestAtMs(userId, 'verify_email');
  if (newestMs !== null && nowMs - newestMs < RESEND_AFTER_MS) {
    throw new CodedError('rate_limit_exceeded', {
      message: 'An email was just sent. Check your inbox and spam folder, or try again in a minute.',
      fields: { retry_after: 60 },
      headers: { 'Retry-After': '60' },
    });
  }
  await repositories.accountLinks.revoke(userId, 'verify_email');
  const token = await repositories.accountLinks.create({
    purpose: 'verify_email',
    userId,
    email,
    expiresAtMs: nowMs + LINK_LIFE_MS,
  });
  await repositories.emails.add({
    organizationId: null,
    to: email,
    ...verificationEmail(deps.links.oneTime('verify-email', token)),
  });
}

/** Sends the verification email again. */
export async function resendVerification(
  deps: Pick<AccountDeps, 'storage' | 'clock' | 'links'>,
  person: SignedIn,
): Promise<void> {
  if (person.isEmailVerified) {
    throw new CodedError('invalid_state', { message: 'Your email address is already confirmed.' });
  }
  await deps.storage.transaction((repositories) =>
    sendVerification(repositories, deps, person.userId, person.email),
  );
}

/** Changes the email address. The new one takes effect when its owner follows the link emailed to it. */
export async function changeEmail(
  deps: Pick<AccountDeps, 'storage' | 'clock' | 'links' | 'signInThrottle'>,
  person: SignedIn,
  input: { readonly email: string; readonly current_password: string },
): Promise<void> {
  await confirmPassword(deps, person, input.current_password);
  // Whether another account has it is checked when the link is followed, and only its owner is notified.
  await deps.storage.transaction((repositories) =>
    sendVerification(repositories, deps, person.userId, input.email.trim()),
  );
}

/**
 * Confirms the address, only in a session of its own account: the owner of the address must not confirm it for an
 * account that another person created with it.
 */
export async function verifyEmail(
  deps: Pick<AccountDeps, 'storage' | 'clock' | 'links'>,
  person: SignedIn,
  token: string,
): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.storage.transaction(async (repositories) => {
    const link = await repositories.accountLinks.spend('verify_email', token, nowMs);
    if (link === null) throw new CodedError('link_expired');
    if (link.userId !== person.userId || link.email === null) {
      throw new CodedError('link_expired', {
        message: 'This link belongs to another account. Sign in to that account, then open the link again.',
      });
    }
    const isNew = link.email !== person.email;
    const owner = isNew ? await repositories.users.findByEmail(link.email) : null;
    if (owner !== null && owner.id !== person.userId) {
      throw new ValidationError([
        { loc: ['body', 'token'], msg: 'This address belongs to another account.', type: 'email_taken' },
      ]);
    }
    await repositories.users.update(person.userId, { email: link.email, emailVerifiedAtMs: nowMs });
    await recordForPerson(repositories, person.userId, isNew ? 'email_changed' : 'email_verified');
    if (!isNew) return;
    await repositories.accountLinks.revoke(person.userId, 'reset_password');
    await repositories.emails.add({
      organizationId: null,
      to: person.email,
      ...securityNoticeEmail(
        'The email address of your account was changed',
        deps.links.page('forgot-password'),
      ),
    });
  });
}
