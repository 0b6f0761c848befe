import { CodedError } from '@csg/shared/contract';
import type { Repositories } from '../../storage/storage.ts';
import type { AccountDeps } from './account-deps.ts';
import { checkPassword } from './check-password.ts';
import { hashPassword } from './hash-password.ts';
import { limitMails } from './limit-mails.ts';
import { addressInUseMail } from './mail-texts.ts';
import { makeAccount, makeOrganization } from './make-account.ts';
import { mailVerification } from './verify-email.ts';

export interface SignUpDeps extends Pick<AccountDeps, 'storage' | 'clock' | 'links' | 'limiter'> {
  /** `invitation`: accounts are made by invitations alone. */
  readonly signUp: 'open' | 'invitation';
}

/**
 * An account with an organization of its own on the Free plan. Who has one already is told by mail, and the answer is
 * the same: nobody learns here whose addresses are known.
 */
export async function signUp(
  deps: SignUpDeps,
  wish: { readonly email: string; readonly password: string; readonly name?: string },
  address: string,
): Promise<void> {
  if (deps.signUp !== 'open') {
    throw new CodedError('sign_up_closed');
  }
  await limitMails(deps, { kind: 'address', id: address }, wish.email);
  await checkPassword('password', wish.password, [wish.email, wish.name ?? null]);
  const passwordHash = await hashPassword(wish.password);
  const email = wish.email.trim();
  try {
    await deps.storage.transaction(async (repositories) => {
      const user = await makeAccount(repositories, {
        email,
        name: wish.name?.trim() || null,
        passwordHash,
        emailVerifiedAtMs: null,
      });
      await makeOrganization(repositories, user.id, { kind: 'personal', name: 'My organization' });
      await mailVerification(repositories, deps, user.id, email);
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'email_taken') throw error;
    await deps.storage.transaction((repositories) => tellOwner(repositories, deps, email));
  }
}

async function tellOwner(
  repositories: Pick<Repositories, 'users' | 'mails'>,
  { links }: Pick<AccountDeps, 'links'>,
  email: string,
): Promise<void> {
  const owner = await repositories.users.findByEmail(email);
  if (owner === null) return;
  await repositories.mails.add({
    organizationId: null,
    to: owner.email,
    ...addressInUseMail(links.page('sign-in'), links.page('forgot-password')),
  });
}
