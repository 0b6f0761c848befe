import { CodedError } from '@csg/shared/contract';
import type { Repositories } from '../../storage/storage.ts';
import type { AccountDeps } from './account-deps.ts';
import { checkPassword } from './check-password.ts';
import { createAccount, makeOrganization } from './create-account.ts';
import { addressInUseEmail } from './email-texts.ts';
import { hashPassword } from './hash-password.ts';
import { limitEmails } from './limit-emails.ts';
import { sendVerification } from './verify-email.ts';

export interface SignUpDeps extends Pick<AccountDeps, 'storage' | 'clock' | 'links' | 'limiter'> {
  /** `invitation`: accounts are created only by invitation. */
  readonly signUp: 'open' | 'invitation';
}

/**
 * Creates an account with an organization of its own on the Free plan. The owner of a known address is notified by
 * email, and the response is the same: it does not reveal which addresses are known.
 */
export async function signUp(
  deps: SignUpDeps,
  input: { readonly email: string; readonly password: string; readonly name?: string },
  address: string,
): Promise<void> {
  if (deps.signUp !== 'open') {
    throw new CodedError('sign_up_closed');
  }
  await limitEmails(deps, { kind: 'address', id: address }, input.email);
  await checkPassword('password', input.password, [input.email, input.name ?? null]);
  const passwordHash = await hashPassword(input.password);
  const email = input.email.trim();
  try {
    await deps.storage.transaction(async (repositories) => {
      const user = await createAccount(repositories, {
        email,
        name: input.name?.trim() || null,
        passwordHash,
        emailVerifiedAtMs: null,
      });
      await makeOrganization(repositories, user.id, { kind: 'personal', name: 'My organization' });
      await sendVerification(repositories, deps, user.id, email);
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'email_taken') throw error;
    await deps.storage.transaction((repositories) => notifyOwner(repositories, deps, email));
  }
}

async function notifyOwner(
  repositories: Pick<Repositories, 'users' | 'emails'>,
  { links }: Pick<AccountDeps, 'links'>,
  email: string,
): Promise<void> {
  const owner = await repositories.users.findByEmail(email);
  if (owner === null) return;
  await repositories.emails.add({
    organizationId: null,
    to: owner.email,
    ...addressInUseEmail(links.page('sign-in'), links.page('forgot-password')),
  });
}
