import type { Plans } from '@csg/shared/contract';
import { type Account, accountOf } from '../../access/account-of.ts';
import type { OrganizationKind, Role, SessionForRequest, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { homeOrganization } from './home-organization.ts';

/** The person signed in in a browser. Read for each request: a change of role takes effect with the next one. */
export interface SignedIn {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  readonly isEmailVerified: boolean;
  readonly hasSecondFactor: boolean;
  /** The only organization this session is valid in, as its provider authenticated the person; null: all of theirs. */
  readonly ssoOrganizationId: string | null;
  readonly csrfToken: string;
  readonly expiresAtMs: number;
  /** The selected organization; null if the person belongs to none. */
  readonly membership: Membership | null;
}

export interface Membership {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly organizationKind: OrganizationKind;
  readonly role: Role;
  /** The person has to set up a second factor before they can access the organization. */
  readonly lacksSecondFactor: boolean;
  /** The person has to sign in by single sign-on before they can access the organization. */
  readonly lacksSso: boolean;
  readonly account: Account;
}

export interface ReadSessionDeps {
  readonly storage: Pick<Storage, 'sessions' | 'organizations'>;
  readonly plans: Plans;
  readonly clock: Clock;
}

const MINUTE_MS = 60_000;
/** A session expires after this long without use. */
export const SESSION_IDLE_MS = 8 * 60 * MINUTE_MS;
/** A session expires this long after sign-in, even if in use. */
export const SESSION_MAX_MS = 7 * 24 * 60 * MINUTE_MS;
const ROTATE_EVERY_MS = 60 * MINUTE_MS;
/** Accepts the old token for requests sent before the browser received the new one. */
const ROTATION_GRACE_MS = MINUTE_MS / 2;

/**
 * Returns the person of a session token; null if the session is unknown, ended or expired. `newToken`: the token that
 * the browser has to send from now on; it changes once an hour.
 */
export async function readSession(
  deps: ReadSessionDeps,
  token: string,
  address: string,
): Promise<{ readonly signedIn: SignedIn; readonly newToken: string | null } | null> {
  const { sessions } = deps.storage;
  const nowMs = deps.clock.now();
  let facts = await sessions.find(token, nowMs);
  if (facts === null) return null;
  if (nowMs >= Math.min(facts.expiresAtMs, facts.lastSeenAtMs + SESSION_IDLE_MS)) {
    await sessions.end(facts.userId, facts.id);
    return null;
  }
  if (facts.membership === null && facts.ssoOrganizationId !== null) {
    await sessions.end(facts.userId, facts.id);
    return null;
  }
  if (facts.membership === null) {
    const home = homeOrganization(facts.userId, await deps.storage.organizations.listForUser(facts.userId));
    if (home !== null) {
      await sessions.select(facts.id, home.id);
      facts = (await sessions.find(token, nowMs)) ?? facts;
    }
  }
  if (nowMs - facts.lastSeenAtMs >= MINUTE_MS || facts.address !== address) {
    await sessions.touch(facts.id, { atMs: nowMs, address });
  }
  return { signedIn: signedInOf(facts, deps.plans), newToken: await renewToken(deps, facts, nowMs) };
}

async function renewToken(
  { storage: { sessions } }: ReadSessionDeps,
  facts: SessionForRequest,
  nowMs: number,
): Promise<string | null> {
  const ageMs = nowMs - facts.rotatedAtMs;
  if (facts.presented === 'current') {
    if (!facts.isRotationSeen) await sessions.settleRotation(facts.id, nowMs + ROTATION_GRACE_MS);
    return ageMs < ROTATE_EVERY_MS ? null : await sessions.rotate(facts.id, facts.rotatedAtMs, nowMs);
  }
  // The response with the new token was lost: issue another.
  const isLost = !facts.isRotationSeen && ageMs >= ROTATION_GRACE_MS;
  return isLost ? await sessions.rotate(facts.id, facts.rotatedAtMs, nowMs) : null;
}

function signedInOf(facts: SessionForRequest, plans: Plans): SignedIn {
  const { membership, ssoOrganizationId } = facts;
  const isBySso = ssoOrganizationId !== null;
  return {
    sessionId: facts.id,
    userId: facts.userId,
    email: facts.email,
    name: facts.name,
    isEmailVerified: facts.emailVerifiedAtMs !== null,
    hasSecondFactor: facts.hasSecondFactor,
    ssoOrganizationId,
    csrfToken: facts.csrfToken,
    expiresAtMs: facts.expiresAtMs,
    membership:
      membership === null
        ? null
        : {
            organizationId: membership.organizationId,
            organizationName: membership.organizationName,
            organizationKind: membership.organizationKind,
            role: membership.role,
            // With single sign-on, the provider enforces the organization's rules for second factors.
            lacksSecondFactor: membership.requiresSecondFactor && !facts.hasSecondFactor && !isBySso,
            lacksSso: membership.ssoOnly && membership.role !== 'owner' && !isBySso,
            account: accountOf(membership, plans),
          },
  };
}
