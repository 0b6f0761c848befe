import { CodedError } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';
import type { SignedIn } from './read-session.ts';
import { recordForPerson } from './record-for-person.ts';

type Deps = { readonly storage: Pick<Storage, 'transaction'> };

/** Ends one session of the person, in any browser. */
export async function endSession(deps: Deps, person: SignedIn, sessionId: string): Promise<void> {
  await deps.storage.transaction(async (repositories) => {
    if (!(await repositories.sessions.end(person.userId, sessionId))) {
      throw new CodedError('not_found', { message: 'No such session.' });
    }
    await recordForPerson(repositories, person.userId, 'sessions_ended', { count: 1 });
  });
}

/** Ends all other sessions of the person; returns how many. */
export async function endOtherSessions(deps: Deps, person: SignedIn): Promise<number> {
  return await deps.storage.transaction(async (repositories) => {
    const count = await repositories.sessions.endAll(person.userId, person.sessionId);
    await repositories.knownBrowsers.forgetAll(person.userId);
    if (count > 0) await recordForPerson(repositories, person.userId, 'sessions_ended', { count });
    return count;
  });
}
