import { createFailureHold, type FailureHold } from './failure-hold.ts';
import { networkOf } from './network-of.ts';

/** Guesses at passwords and codes, counted three ways. */
export interface SignInHolds {
  /** Of one account from one address, or in one browser its person is known in. */
  readonly pair: FailureHold;
  /** From one address, whatever the account. */
  readonly address: FailureHold;
  /** At one account, from wherever nobody is known. */
  readonly account: FailureHold;
  /** The addresses that count as one. */
  networkOf(address: string): string;
}

const PAIR_LIMIT = 10;
const ACCOUNT_LIMIT = 100;

/** `addressLimit` failures within five minutes hold an address; 0 turns all three off. */
export function createSignInHolds(options: {
  readonly addressLimit: number;
  readonly now: () => number;
  /** Counts a hold together with other instances. */
  readonly share?: (name: string, hold: FailureHold) => FailureHold;
}): SignInHolds {
  const isOn = options.addressLimit > 0;
  const hold = (name: string, limit: number): FailureHold => {
    const own = createFailureHold({ limit: isOn ? limit : 0, now: options.now });
    return options.share?.(`sign-in ${name}`, own) ?? own;
  };
  return {
    pair: hold('pair', PAIR_LIMIT),
    address: hold('address', options.addressLimit),
    account: hold('account', ACCOUNT_LIMIT),
    networkOf,
  };
}
