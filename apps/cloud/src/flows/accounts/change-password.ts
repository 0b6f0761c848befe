import type { AccountDeps } from './account-deps.ts';
import { checkPassword } from './check-password.ts';
import { confirmPassword } from './confirm-password.ts';
import { securityNoticeEmail } from './email-texts.ts';
import { hashPassword } from './hash-password.ts';
import type { SignedIn } from './read-session.ts';
import { recordForPerson } from './record-for-person.ts';
import { type Browser, type NewSession, startSession } from './start-session.ts';

/** Changes the password and ends every session; this browser immediately gets a new one. */
export async function changePassword(
  deps: Pick<AccountDeps, 'storage' | 'clock' | 'links' | 'signInThrottle'>,
  person: SignedIn,
  input: { readonly current_password: string; readonly new_password: string },
  browser: Browser,
): Promise<NewSession> {
  await confirmPassword(deps, person, input.current_password);
  await checkPassword('new_password', input.new_password, [person.email, person.name]);
  const passwordHash = await hashPassword(input.new_password);
  return deps.storage.transaction(async (repositories) => {
    await repositories.users.update(person.userId, { passwordHash });
    await repositories.accountLinks.revoke(person.userId, 'reset_password');
    await repositories.sessions.endAll(person.userId);
    await repositories.knownBrowsers.forgetAll(person.userId);
    await recordForPerson(repositories, person.userId, 'password_changed');
    await repositories.emails.add({
      organizationId: null,
      to: person.email,
      ...securityNoticeEmail('Your password was changed', deps.links.page('forgot-password')),
    });
    return startSession(repositories, deps.clock, person.userId, browser, person.membership?.organizationId);
  });
}
