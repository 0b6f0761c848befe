import { CodedError, ValidationFault } from '@csg/shared/contract';
import type { AccountDeps } from './account-deps.ts';
import { guardGuesses } from './guard-guesses.ts';
import { verifyPassword } from './hash-password.ts';
import type { SignedIn } from './read-session.ts';

/** Asks a signed-in person for their password once more, before what would hurt most in the wrong hands. */
export async function confirmPassword(
  deps: Pick<AccountDeps, 'storage' | 'signInHolds'>,
  person: Pick<SignedIn, 'userId' | 'sessionId'>,
  password: string,
): Promise<void> {
  const user = await deps.storage.users.get(person.userId);
  // Counted by session: whoever found one open cannot hold up the person elsewhere.
  const guesser = { account: `session ${person.sessionId}`, address: '', isKnown: true };
  try {
    await guardGuesses(deps.signInHolds, guesser, async () => {
      if (!(await verifyPassword(password, user?.passwordHash ?? null))) {
        throw new CodedError('wrong_credentials');
      }
    });
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'wrong_credentials') throw error;
    throw new ValidationFault([
      { loc: ['body', 'current_password'], msg: 'This is not your current password.', type: 'password' },
    ]);
  }
}
