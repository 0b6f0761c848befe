import type { Repositories } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { SESSION_MAX_MS } from './read-session.ts';

/** The browser that signs in, for the list of one's sessions. */
export interface Browser {
  readonly address: string;
  readonly userAgent: string;
}

/** What the browser is given: the token, told once. */
export interface NewSession {
  readonly token: string;
  readonly userId: string;
}

/** A new session, in the organization chosen or else the first; written to that organization's record. */
export async function startSession(
  repositories: Pick<Repositories, 'sessions' | 'organizations' | 'audit'>,
  clock: Clock,
  userId: string,
  browser: Browser,
  chosenId?: string,
): Promise<NewSession> {
  const organizationId = chosenId ?? (await repositories.organizations.listForUser(userId))[0]?.id ?? null;
  const { session, token } = await repositories.sessions.create({
    userId,
    organizationId,
    address: browser.address,
    userAgent: browser.userAgent.slice(0, 300),
    expiresAtMs: clock.now() + SESSION_MAX_MS,
  });
  if (organizationId !== null) {
    await repositories.audit.append({
      organizationId,
      kind: 'signed_in',
      actor: userId,
      subject: session.id,
      data: {},
    });
  }
  return { token, userId };
}
