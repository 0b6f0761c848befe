import type { MinuteLimiter } from '../../limits/minute-limiter.ts';
import type { SignInThrottle } from '../../limits/sign-in-throttle.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import type { Links } from '../links.ts';

/** Dependencies shared by the account flows. */
export interface AccountDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly links: Links;
  readonly signInThrottle: SignInThrottle;
  readonly limiter: MinuteLimiter;
}
