import type { Repositories } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { homeOrganization } from './home-organization.ts';
import { SESSION_MAX_MS } from './read-session.ts';

/** The browser that signs in. */
export interface Browser {
  readonly address: string;
  readonly userAgent: string;
  /** The token it got at an earlier sign-in. */
  readonly knownToken: string | null;
  /** Whether that sign-in was of the same person. */
  readonly isKnown?: boolean;
}

/** What the browser is given: tokens, told once. */
export interface NewSession {
  readonly token: string;
  /** To be recognised by next time; null: it has one. */
  readonly knownToken: string | null;
}

/** How long a browser is known for after its last sign-in. */
export const KNOWN_BROWSER_MS = 180 * 24 * 60 * 60_000;

/** A new session, in the organization named or else the person's home; written to that organization's record. */
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
