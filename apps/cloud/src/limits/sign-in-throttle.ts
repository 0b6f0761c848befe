import { createFailureLockout, type FailureLockout } from './failure-lockout.ts';
import { networkOf } from './network-of.ts';

/** Guesses at passwords and codes, counted three ways. */
export interface SignInThrottle {
  /** Of one account from one address, or in one browser its person is known in. */
  readonly pair: FailureLockout;
  /** From one address, whatever the account. */
  readonly address: FailureLockout;
  /** At one account, from browsers that are not known. */
  readonly account: FailureLockout;
  /** The addresses that count as one. */
  networkOf(address: string): string;
}

const PAIR_LIMIT = 10;
const ACCOUNT_LIMIT = 100;

/** `addressLimit` failures within five minutes hold an address; 0 turns all three off. */
export function createSignInThrottle(options: {
  readonly addressLimit: number;
  readonly now: () => number;
  /** Counts a hold together with other instances. */
  readonly share?: (name: string, lockout: FailureLockout) => FailureLockout;
}): SignInThrottle {
  const isOn = options.addressLimit > 0;
  const lockout = (name: string, limit: number): FailureLockout => {
    const own = createFailureLockout({ limit: isOn ? limit : 0, now: options.now });
    return options.share?.(`sign-in ${name}`, own) ?? own;
  };
  return {
    pair: lockout('pair', PAIR_LIMIT),
    address: lockout('address', options.addressLimit),
    account: lockout('account', ACCOUNT_LIMIT),
    networkOf,
  };
}
