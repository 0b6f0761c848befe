import { CodedError } from '@csg/shared/contract';
import type { FailureHold } from '../../limits/failure-hold.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { verifyPassword } from './hash-password.ts';
import { type Browser, type NewSession, startSession } from './start-session.ts';

export interface SignInDeps {
  readonly storage: Pick<Storage, 'users' | 'transaction'>;
  readonly clock: Clock;
  readonly signInHold: FailureHold;
}

export interface SignInWish {
  readonly email: string;
  readonly password: string;
}

/** A session for who knows the password. Wrong names and wrong passwords are told apart by nothing. */
export async function signIn(deps: SignInDeps, wish: SignInWish, browser: Browser): Promise<NewSession> {
  const user = await deps.storage.users.findByEmail(wish.email);
  const isRight = await verifyPassword(wish.password, user?.passwordHash ?? null);
  if (user === null || !isRight) throw new CodedError('wrong_credentials');
  return deps.storage.transaction((repositories) => startSession(repositories, deps.clock, user.id, browser));
}
