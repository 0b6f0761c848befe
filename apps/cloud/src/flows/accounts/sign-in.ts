import { CodedError } from '@csg/shared/contract';
import type { SignInThrottle } from '../../limits/sign-in-throttle.ts';
import type { Repositories, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { verifyPassword } from './hash-password.ts';
import { consumeCode } from './second-factor.ts';
import { type Browser, type NewSession, startSession } from './start-session.ts';
import { throttleAttempts } from './throttle-attempts.ts';

export interface SignInDeps {
  readonly storage: Pick<Storage, 'users' | 'knownBrowsers' | 'transaction'>;
  readonly clock: Clock;
  readonly signInThrottle: SignInThrottle;
  readonly log: { warn(fields: object, message: string): void };
}

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  /** Code of the authenticator app, or a recovery code. */
  readonly code?: string;
}

/**
 * Creates a session for a person with the right password and, if set up, the second factor. Unknown addresses and wrong
 * passwords cannot be distinguished, not even by timing. Failed attempts delay the guesser, not the account owner.
 */
export async function signIn(deps: SignInDeps, input: SignInInput, browser: Browser): Promise<NewSession> {
  const user = await deps.storage.users.findByEmail(input.email);
  const isKnown =
    user !== null &&
    browser.knownToken !== null &&
    (await deps.storage.knownBrowsers.isKnown(user.id, browser.knownToken, deps.clock.now()));
  const attempt = { account: input.email, address: browser.address, isKnown };
  try {
    return await throttleAttempts(deps.signInThrottle, attempt, async () => {
      const isRight = await verifyPassword(input.password, user?.passwordHash ?? null);
      if (user === null || !isRight) throw new CodedError('wrong_credentials');
      return await deps.storage.transaction(async (repositories) => {
        await proveSecondFactor(repositories, user.id, input.code, deps.clock.now());
        await requirePasswordAllowed(repositories, user.id);
        return await startSession(repositories, deps.clock, user.id, { ...browser, isKnown });
      });
    });
  } catch (error) {
    if (error instanceof CodedError) {
      const { code } = error;
      deps.log.warn({ code, user_id: user?.id ?? null, address: browser.address }, 'a sign-in was refused');
    }
    throw error;
  }
}

/** Rejects passwords if all organizations of the person require single sign-on. Owners can always use theirs. */
async function requirePasswordAllowed(
  { organizations }: Pick<Repositories, 'organizations'>,
  userId: string,
): Promise<void> {
  const all = await organizations.listForUser(userId);
  if (all.length === 0 || all.some(({ ssoOnly, role }) => !ssoOnly || role === 'owner')) return;
  throw new CodedError('sso_required', { fields: { organization_id: all[0]!.id } });
}

async function proveSecondFactor(
  repositories: Pick<Repositories, 'secondFactors'>,
  userId: string,
  code: string | undefined,
  nowMs: number,
): Promise<void> {
  const factor = await repositories.secondFactors.get(userId);
  if (factor === null || factor.confirmedAtMs === null) return;
  if (code === undefined) throw new CodedError('second_factor_required');
  await consumeCode(repositories, userId, code, nowMs);
}
