import { CodedError } from '@csg/shared/contract';
import { isSharedIssuer } from '../../config/is-shared-issuer.ts';
import type { ProvenIdentity } from '../../single-sign-on/identity-providers.ts';
import type { Repositories, User } from '../../storage/storage.ts';
import { createAccount } from '../accounts/create-account.ts';
import { giveRoles } from '../accounts/give-roles.ts';
import { type Browser, type NewSession, startSession } from '../accounts/start-session.ts';
import { domainOf, findSso, type Sso } from './find-sso.ts';
import { readRoleClaim } from './read-role-claim.ts';
import { type SsoDeps, toSsoError } from './start-sso.ts';

export interface SsoCallback {
  readonly url: URL;
  readonly state: string;
  /** Secret known only to the browser that started the sign-in. */
  readonly secret: string;
  readonly browser: Browser;
}

/** Completes a sign-in: returns a session of that organization, or links the account; else throws a CodedError. */
export async function completeSso(
  deps: SsoDeps,
  callback: SsoCallback,
): Promise<{ readonly session: NewSession | null }> {
  const { storage } = deps;
  const signIn = await storage.singleSignOn.take(callback.state, callback.secret, deps.clock.now());
  if (signIn === null) {
    throw refused('This sign-in was not started in this browser or took too long. Start again.');
  }
  const sso = await findSso(deps, signIn.organizationId);
  if (sso === null) throw refused('Single sign-on of this organization has been removed meanwhile.');
  let identity: ProvenIdentity;
  try {
    identity = await deps.identityProviders.redeem(sso.provider, signIn.secrets, callback.url);
  } catch (error) {
    throw toSsoError(deps, sso.organizationId, error, 'sso_refused');
  }
  const email = acceptedEmail(sso, identity);
  try {
    return await storage.transaction(async (repositories) => {
      if (signIn.linkSessionId !== null) {
        await linkAccount(repositories, deps, sso, identity, signIn.linkSessionId);
        return { session: null };
      }
      const user = await findOrCreateUser(repositories, deps, sso, identity, email);
      await admitMember(repositories, sso, identity, user.id);
      const { organizationId } = sso;
      // Marked as known: the lockout for wrong passwords does not apply without a password.
      const browser = { ...callback.browser, isKnown: true };
      return {
        session: await startSession(repositories, deps.clock, user.id, browser, organizationId, true),
      };
    });
  } catch (error) {
    // In two concurrent sign-ins of a new person, the other one created the account.
    const { code } = error as { code?: unknown };
    if (!CONFLICTS.has(code)) throw error;
    throw refused('This person signed in twice at the same time. Start again.');
  }
}

const CONFLICTS: ReadonlySet<unknown> = new Set(['email_taken', 'already_member', 'conflict']);

function acceptedEmail(sso: Sso, { claims }: ProvenIdentity): string {
  const { email } = claims;
  if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) {
    throw refused('The identity provider sent no email address.');
  }
  if (!isTrustedEmail(sso, claims)) {
    throw refused('The identity provider has not verified this email address.');
  }
  if (!sso.domains.includes(domainOf(email))) {
    throw refused('Addresses of this domain may not sign in to this organization.');
  }
  return email;
}

/**
 * Some providers never send `email_verified`. An issuer of a single tenant vouches for the addresses of its proven
 * domains without it, unless it says that an address, or its domain (Microsoft's `xms_edov`), is not verified.
 */
function isTrustedEmail({ emailTrust, provider }: Sso, claims: ProvenIdentity['claims']): boolean {
  const { email_verified: isVerified, xms_edov: isOfOwnDomain } = claims;
  if (emailTrust === 'verified') return isTrue(isVerified);
  const isDenied =
    (isVerified !== undefined && !isTrue(isVerified)) ||
    (isOfOwnDomain !== undefined && !isTrue(isOfOwnDomain) && String(isOfOwnDomain) !== '1');
  return !isDenied && !isSharedIssuer(provider.issuer);
}

/** Some providers send flags as texts. */
function isTrue(claim: unknown): boolean {
  return claim === true || (typeof claim === 'string' && claim.toLowerCase() === 'true');
}

/** Links the person of the session that started the flow, if the session still exists. */
async function linkAccount(
  repositories: Repositories,
  deps: SsoDeps,
  { organizationId }: Sso,
  { issuer, subject }: ProvenIdentity,
  sessionId: string,
): Promise<void> {
  const userId = await repositories.sessions.findUser(sessionId, deps.clock.now());
  if (userId === null) throw refused('Your session has ended. Sign in, then link again.');
  const known = await repositories.singleSignOn.findIdentity(issuer, subject);
  if (known !== null && known.userId !== userId) {
    throw refused('This identity is already linked to another account.');
  }
  if (known !== null) return;
  await repositories.singleSignOn.link({ issuer, subject, userId });
  await repositories.audit.append({
    organizationId,
    kind: 'sso_linked',
    actor: userId,
    subject: userId,
    data: { issuer },
  });
}

/** Identifies people by issuer and subject. An address alone never opens an account that another person created. */
async function findOrCreateUser(
  repositories: Repositories,
  deps: SsoDeps,
  { organizationId }: Sso,
  { issuer, subject, claims }: ProvenIdentity,
  email: string,
): Promise<Pick<User, 'id'>> {
  const known = await repositories.singleSignOn.findIdentity(issuer, subject);
  if (known !== null) return { id: known.userId };
  const existing = await repositories.users.findByEmail(email);
  if (existing !== null && !(await isOfDirectory(repositories, organizationId, existing))) {
    throw refused(
      'An account with this email address already exists. Sign in with its password, then link it on the account page.',
    );
  }
  const name = typeof claims['name'] === 'string' ? claims['name'].slice(0, 100) : null;
  const user =
    existing ??
    (await createAccount(repositories, {
      email,
      name,
      passwordHash: null,
      emailVerifiedAtMs: deps.clock.now(),
    }));
  await repositories.singleSignOn.link({ issuer, subject, userId: user.id });
  return user;
}

/** Returns true if this organization's directory created the account and it was never used: no sign-in can link it. */
async function isOfDirectory(
  { directory, singleSignOn }: Repositories,
  organizationId: string,
  { id, passwordHash }: User,
): Promise<boolean> {
  const described = await directory.get(organizationId, id);
  return (
    described?.hasMadeAccount === true &&
    passwordHash === null &&
    (await singleSignOn.listIdentities(id)).length === 0
  );
}

/**
 * Admits the person with the roles from the claim, updated at each sign-in. Without a role claim they start as viewer,
 * and their role is set on the members page or comes from groups of the directory.
 */
async function admitMember(
  repositories: Repositories,
  { organizationId, roleClaim, provider }: Sso,
  { claims }: ProvenIdentity,
  userId: string,
): Promise<void> {
  await repositories.organizations.lock(organizationId);
  const member = await repositories.members.lock(organizationId, userId);
  const described = await repositories.directory.get(organizationId, userId);
  const map = await repositories.roleMap.list(organizationId);
  const claimed = roleClaim === null ? null : readRoleClaim(claims[roleClaim], map, described !== null);
  const giver = { organizationId, actor: userId, data: { issuer: provider.issuer } };
  if (member === null) {
    if (described !== null && !described.isActive) {
      throw refused('The directory of this organization has deactivated this person.');
    }
    const role = claimed?.role ?? 'viewer';
    await repositories.members.add(organizationId, userId, role);
    if (claimed !== null) {
      // Nobody assigned a role: without the claim they would be a viewer.
      const roles = { role, ownRole: 'viewer', claimRole: role, groupRole: null } as const;
      await repositories.roleMap.setMemberRoles(organizationId, [userId], roles);
    }
    await repositories.audit.append({
      ...{ organizationId, kind: 'member_added', actor: userId, subject: userId },
      data: { role, ...giver.data },
    });
  }
  if (claimed !== null) await giveRoles(repositories, giver, 'claim', new Map([[userId, claimed]]));
}

function refused(message: string): CodedError {
  return new CodedError('sso_refused', { message });
}
