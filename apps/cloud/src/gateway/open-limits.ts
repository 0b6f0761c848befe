import { createFailureLockout, type FailureLockout } from '../limits/failure-lockout.ts';
import { createInFlightLimiter, type InFlightLimiter } from '../limits/in-flight-limiter.ts';
import { createLocalLimiter, type MinuteLimiter } from '../limits/minute-limiter.ts';
import type { SharedLimits } from '../limits/shared-limits.ts';
import { createSignInThrottle, type SignInThrottle } from '../limits/sign-in-throttle.ts';
import type { Opening } from './opening.ts';

export interface Limits {
  readonly limiter: MinuteLimiter;
  /** For addresses that try API keys. */
  readonly lockout: FailureLockout;
  readonly signInThrottle: SignInThrottle;
  readonly work: InFlightLimiter;
}

/** Opens the counters: in this process or, with REDIS_URL, shared with other instances. */
export async function openLimits(opening: Opening): Promise<Limits> {
  const { config, clock, metrics } = opening;
  const { now } = clock;
  const shared = await openShared(opening);
  const lockout = createFailureLockout({ limit: config.authFailureLimit, now });
  const work = createInFlightLimiter({
    requests: config.loadLimitRequests,
    bytes: config.loadLimitBytes,
    elapsed: clock.elapsed,
  });
  metrics.observeWork(work.read);
  return {
    limiter: shared?.limiter ?? createLocalLimiter(now),
    lockout: shared?.share('keys', lockout) ?? lockout,
    signInThrottle: createSignInThrottle({
      addressLimit: config.authFailureLimit,
      now,
      ...(shared === null ? {} : { share: shared.share }),
    }),
    work,
  };
}

/** Loaded only if configured: its library and the mailer's take a tenth of the startup time. */
async function openShared({ config, log, clock, metrics, closing }: Opening): Promise<SharedLimits | null> {
  if (config.redisUrl === undefined) return null;
  const { openSharedLimits } = await import('../limits/shared-limits.ts');
  const shared = await openSharedLimits({
    url: config.redisUrl,
    now: clock.now,
    log,
    observe: metrics.shared,
  });
  closing.defer(() => shared.close());
  return shared;
}
