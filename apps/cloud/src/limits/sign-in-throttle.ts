import { createFailureLockout, type FailureLockout } from './failure-lockout.ts';
import { networkOf } from './network-of.ts';

/** Failed attempts at passwords and codes, counted in three ways. */
export interface SignInThrottle {
  /** For one account from one address, or from a browser known for that account. */
  readonly pair: FailureLockout;
  /** From one address, for any account. */
  readonly address: FailureLockout;
  /** For one account, from unknown browsers. */
  readonly account: FailureLockout;
  /** Returns the network whose addresses count as one. */
  networkOf(address: string): string;
}

const PAIR_LIMIT = 10;
const ACCOUNT_LIMIT = 100;

/** `addressLimit` failures within five minutes lock an address out; 0 disables all three. */
export function createSignInThrottle(options: {
  readonly addressLimit: number;
  readonly now: () => number;
  /** Shares a lockout with other instances. */
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
