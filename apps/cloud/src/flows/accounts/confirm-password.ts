import { CodedError, ValidationError } from '@csg/shared/contract';
import type { AccountDeps } from './account-deps.ts';
import { verifyPassword } from './hash-password.ts';
import type { SignedIn } from './read-session.ts';
import { throttleAttempts } from './throttle-attempts.ts';

/** Asks a signed-in person for their password again before a sensitive change. */
export async function confirmPassword(
  deps: Pick<AccountDeps, 'storage' | 'signInThrottle'>,
  person: Pick<SignedIn, 'userId' | 'sessionId'>,
  password: string,
): Promise<void> {
  const user = await deps.storage.users.get(person.userId);
  // Counted by session: an intruder in one session cannot lock the person out elsewhere.
  const attempt = { account: `session ${person.sessionId}`, address: '', isKnown: true };
  try {
    await throttleAttempts(deps.signInThrottle, attempt, async () => {
      if (!(await verifyPassword(password, user?.passwordHash ?? null))) {
        throw new CodedError('wrong_credentials');
      }
    });
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'wrong_credentials') throw error;
    throw new ValidationError([
      { loc: ['body', 'current_password'], msg: 'This is not your current password.', type: 'password' },
    ]);
  }
}
