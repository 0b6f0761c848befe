import { CodedError } from '@csg/shared/contract';
import type { FailureLockout } from '../../limits/failure-lockout.ts';
import type { SignInThrottle } from '../../limits/sign-in-throttle.ts';

/** The account whose secret is tried, and the origin of the attempt. */
export interface SignInAttempt {
  /** The account as submitted; an account that does not exist is counted in the same way. */
  readonly account: string;
  readonly address: string;
  /** True if the person has signed in with this browser before: attempts from elsewhere do not delay it. */
  readonly isKnown: boolean;
}

/**
 * Runs one attempt at a password or code. Each is counted before it is verified, so that concurrent attempts are not
 * free, and uncounted if `work` resolves. Rejects with `rate_limit_exceeded` during a lockout.
 */
export async function throttleAttempts<T>(
  throttle: SignInThrottle,
  attempt: SignInAttempt,
  work: () => Promise<T>,
): Promise<T> {
  const account = attempt.account.trim().toLowerCase();
  const network = throttle.networkOf(attempt.address);
  const counted: readonly (readonly [FailureLockout, string])[] = attempt.isKnown
    ? [[throttle.pair, `known ${account}`]]
    : [
        [throttle.pair, `${network} ${account}`],
        [throttle.address, network],
        [throttle.account, account],
      ];
  const lockoutS = Math.max(...counted.map(([lockout, key]) => lockout.lockoutS(key)));
  if (lockoutS > 0) {
    throw new CodedError('rate_limit_exceeded', {
      message: `Too many failed attempts. Wait ${inWords(lockoutS)}, or reset your password by email.`,
      fields: { retry_after: lockoutS },
      headers: { 'Retry-After': String(lockoutS) },
    });
  }
  for (const [lockout, key] of counted) lockout.fail(key);
  try {
    const result = await work();
    undoFailures(counted);
    return result;
  } catch (error) {
    // A missing code is not a wrong code, and an unavailable database says nothing about the password.
    const isWrongAttempt =
      error instanceof CodedError && (error.code === 'wrong_credentials' || error.code === 'wrong_code');
    if (!isWrongAttempt) undoFailures(counted);
    throw error;
  }
}

function undoFailures(counted: readonly (readonly [FailureLockout, string])[]): void {
  for (const [lockout, key] of counted) lockout.undo(key);
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
