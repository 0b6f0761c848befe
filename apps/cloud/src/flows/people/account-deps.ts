import type { MinuteLimiter } from '../../limits/minute-limiter.ts';
import type { SignInHolds } from '../../limits/sign-in-holds.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import type { Links } from '../links.ts';

/** What the steps around an account work with. */
export interface AccountDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly links: Links;
  readonly signInHolds: SignInHolds;
  readonly limiter: MinuteLimiter;
}
