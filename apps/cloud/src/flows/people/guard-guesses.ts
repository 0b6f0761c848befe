import { CodedError } from '@csg/shared/contract';
import type { FailureLockout } from '../../limits/failure-lockout.ts';
import type { SignInThrottle } from '../../limits/sign-in-throttle.ts';

/** Whose secret is guessed at, and from where. */
export interface Guesser {
  /** The account, as named: one that does not exist is counted alike. */
  readonly account: string;
  readonly address: string;
  /** A browser in which the person signed in before: nobody else's guesses hold it up. */
  readonly isKnown: boolean;
}

/**
 * Runs one try at a password or code. Each is counted before it is judged, so that a thousand at once are not a
 * thousand free ones, and taken back where `work` resolves. Rejects with `rate_limit_exceeded` while held.
 */
export async function guardGuesses<T>(
  holds: SignInThrottle,
  guesser: Guesser,
  work: () => Promise<T>,
): Promise<T> {
  const account = guesser.account.trim().toLowerCase();
  const network = holds.networkOf(guesser.address);
  const counted: readonly (readonly [FailureLockout, string])[] = guesser.isKnown
    ? [[holds.pair, `known ${account}`]]
    : [
        [holds.pair, `${network} ${account}`],
        [holds.address, network],
        [holds.account, account],
      ];
  const heldS = Math.max(...counted.map(([hold, key]) => hold.lockoutS(key)));
  if (heldS > 0) {
    throw new CodedError('rate_limit_exceeded', {
      message: `Too many wrong tries. Wait ${inWords(heldS)}, or choose a new password by e-mail.`,
      fields: { retry_after: heldS },
      headers: { 'Retry-After': String(heldS) },
    });
  }
  for (const [hold, key] of counted) hold.fail(key);
  try {
    const result = await work();
    takeBack(counted);
    return result;
  } catch (error) {
    // A code that is still missing is no wrong one, and a database that is away is nobody's guess.
    const isGuess =
      error instanceof CodedError && (error.code === 'wrong_credentials' || error.code === 'wrong_code');
    if (!isGuess) takeBack(counted);
    throw error;
  }
}

function takeBack(counted: readonly (readonly [FailureLockout, string])[]): void {
  for (const [hold, key] of counted) hold.undo(key);
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
