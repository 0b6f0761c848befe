import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { recordForPerson } from './record-for-person.ts';

const LINK_LIFE_MS = 24 * 60 * 60_000;

/**
 * Recovers the account of a person who lost access (phone and recovery codes, or the mailbox): removes the second
 * factor, ends every session, and returns a token with which they can choose a password within a day. Only the operator
 * can request it. Returns null if no account has this address.
 */
export async function recoverAccount(
  deps: { readonly storage: Pick<Storage, 'transaction'>; readonly clock: Clock },
  email: string,
): Promise<{ readonly userId: string; readonly token: string } | null> {
  return await deps.storage.transaction(async (repositories) => {
    const user = await repositories.users.findByEmail(email);
    if (user === null) return null;
    const hadSecondFactor = await repositories.secondFactors.remove(user.id);
    await repositories.sessions.endAll(user.id);
    await repositories.knownBrowsers.forgetAll(user.id);
    await repositories.accountLinks.revoke(user.id, 'reset_password');
    const token = await repositories.accountLinks.create({
      purpose: 'reset_password',
      userId: user.id,
      email: user.email,
      expiresAtMs: deps.clock.now() + LINK_LIFE_MS,
    });
    await recordForPerson(repositories, user.id, 'account_recovered', {
      by: 'operator',
      second_factor_removed: hadSecondFactor,
    });
    return { userId: user.id, token };
  });
}
