import { CodedError } from '@csg/shared/contract';
import { OPERATOR_EMAIL } from '../set-up-service.ts';
import type { AccountDeps } from './account-deps.ts';
import { checkPassword } from './check-password.ts';
import { makeOrganization } from './create-account.ts';
import { resetPasswordEmail, securityNoticeEmail } from './email-texts.ts';
import { hashPassword } from './hash-password.ts';
import { limitEmails } from './limit-emails.ts';
import { recordForPerson } from './record-for-person.ts';

const LINK_LIFE_MS = 60 * 60_000;
/** Repeated requests within this time send no further email. */
const RESEND_AFTER_MS = 2 * 60_000;

/** Emails a link to choose a new password if an account has this address. Does not reveal whether one has. */
export async function requestPasswordReset(
  deps: Pick<AccountDeps, 'storage' | 'clock' | 'links' | 'limiter'>,
  email: string,
  address: string,
): Promise<void> {
  await limitEmails(deps, { kind: 'address', id: address }, email);
  const user = await deps.storage.users.findByEmail(email);
  if (user === null || user.email === OPERATOR_EMAIL) return;
  const nowMs = deps.clock.now();
  await deps.storage.transaction(async (repositories) => {
    const newestMs = await repositories.accountLinks.newestAtMs(user.id, 'reset_password');
    if (newestMs !== null && nowMs - newestMs < RESEND_AFTER_MS) return;
    await repositories.accountLinks.revoke(user.id, 'reset_password');
    const token = await repositories.accountLinks.create({
      purpose: 'reset_password',
      userId: user.id,
      email: user.email,
      expiresAtMs: nowMs + LINK_LIFE_MS,
    });
    await repositories.emails.add({
      organizationId: null,
      to: user.email,
      ...resetPasswordEmail(deps.links.oneTime('reset-password', token)),
    });
  });
}

/**
 * Sets the new password. It proves the address as well, and ends every session that used the old one. If sign-up is
 * open, a person whose account a directory created gets an organization of their own, as they would have by signing up.
 */
export async function resetPassword(
  deps: Pick<AccountDeps, 'storage' | 'clock' | 'links'> & { readonly signUp: 'open' | 'invitation' },
  input: { readonly token: string; readonly password: string },
): Promise<void> {
  await checkPassword('password', input.password);
  const passwordHash = await hashPassword(input.password);
  const nowMs = deps.clock.now();
  await deps.storage.transaction(async (repositories) => {
    const link = await repositories.accountLinks.spend('reset_password', input.token, nowMs);
    const user = link === null ? null : await repositories.users.get(link.userId);
    // If the address has changed meanwhile, a link sent to the previous one does not prove it.
    if (link === null || user === null || link.email !== user.email) throw new CodedError('link_expired');
    await repositories.users.update(user.id, {
      passwordHash,
      emailVerifiedAtMs: user.emailVerifiedAtMs ?? nowMs,
    });
    const isFirst = user.passwordHash === null && deps.signUp === 'open';
    if (isFirst && (await repositories.organizations.listOwned(user.id)).length === 0) {
      await makeOrganization(repositories, user.id, { kind: 'personal', name: 'My organization' });
    }
    await repositories.sessions.endAll(user.id);
    await repositories.knownBrowsers.forgetAll(user.id);
    await recordForPerson(repositories, user.id, 'password_reset');
    await repositories.emails.add({
      organizationId: null,
      to: user.email,
      ...securityNoticeEmail('Your password was changed', deps.links.page('forgot-password')),
    });
  });
}
