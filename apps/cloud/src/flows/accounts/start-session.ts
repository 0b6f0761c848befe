import type { Repositories } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { homeOrganization } from './home-organization.ts';
import { SESSION_MAX_MS } from './read-session.ts';

/** The browser that signs in. */
export interface Browser {
  readonly address: string;
  readonly userAgent: string;
  /** Token from an earlier sign-in in this browser. */
  readonly knownToken: string | null;
  /** True if that sign-in was by the same person. */
  readonly isKnown?: boolean;
}

/** Tokens for the browser, returned only once. */
export interface NewSession {
  readonly token: string;
  /** Recognizes the browser at the next sign-in; null if it already has such a token. */
  readonly knownToken: string | null;
}

/** How long a browser stays known after its last sign-in. */
export const KNOWN_BROWSER_MS = 180 * 24 * 60 * 60_000;

/** Starts a session in the given organization, else in the person's home organization, and records it there. */
export async function startSession(
  repositories: Pick<Repositories, 'sessions' | 'organizations' | 'knownBrowsers' | 'audit'>,
  clock: Clock,
  userId: string,
  browser: Browser,
  chosenId?: string,
  isBySso = false,
): Promise<NewSession> {
  const organizationId =
    chosenId ?? homeOrganization(userId, await repositories.organizations.listForUser(userId))?.id ?? null;
  const { session, token } = await repositories.sessions.create({
    userId,
    organizationId,
    ...(isBySso && organizationId !== null ? { ssoOrganizationId: organizationId } : {}),
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
      data: isBySso ? { by: 'sso' } : {},
    });
  }
  const knownToken =
    browser.isKnown === true
      ? null
      : await repositories.knownBrowsers.remember(userId, clock.now() + KNOWN_BROWSER_MS);
  return { token, knownToken };
}
