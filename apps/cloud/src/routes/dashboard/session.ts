import {
  CodedError,
  type SessionResponse,
  type SignInRequest,
  sessionSchema,
  signInRequestSchema,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readSession, type SignedIn } from '../../flows/accounts/read-session.ts';
import { type SignInDeps, signIn } from '../../flows/accounts/sign-in.ts';
import { KNOWN_BROWSER_MS, type NewSession } from '../../flows/accounts/start-session.ts';
import { needsSession, openToAll } from '../../plugins/route-access.ts';
import { type SessionDeps, signedInOf } from '../../plugins/session.ts';
import { SESSION_COOKIE } from '../../plugins/session-cookie.ts';
import type { Storage } from '../../storage/storage.ts';
import { browserOf } from './browser-of.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { strongestRoles } from './members.ts';

export interface SessionRouteDeps extends SessionDeps, SignInDeps {
  readonly storage: Storage;
}

export function registerSession(app: FastifyInstance, deps: SessionRouteDeps): void {
  app.post<{ Body: SignInRequest }>(
    '/session',
    {
      config: openToAll(),
      schema: dashboardRoute({
        id: 'signIn',
        area: 'Sign-in',
        summary: 'Sign in',
        description: 'Returns the session and sets the `session` cookie.',
        body: signInRequestSchema,
        response: sessionSchema,
        codes: [
          'sso_required',
          'wrong_credentials',
          'second_factor_required',
          'wrong_code',
          'rate_limit_exceeded',
        ],
        isPublic: true,
      }),
    },
    async (request, reply) => {
      const made = await signIn(deps, request.body, browserOf(request));
      // The browser has one session: a previous one would be left without a cookie to end it.
      if (request.signedIn !== null) {
        await deps.storage.sessions.end(request.signedIn.userId, request.signedIn.sessionId);
      }
      return await sendNewSession(deps, reply, made, request.ip);
    },
  );

  app.get(
    '/session',
    {
      config: needsSession({ isForSso: true }),
      schema: dashboardRoute({
        id: 'getSession',
        area: 'Sign-in',
        summary: 'Get the current session',
        response: sessionSchema,
      }),
    },
    (request) => sessionResponse(deps, signedInOf(request)),
  );

  app.delete(
    '/session',
    {
      config: needsSession({ isForSso: true }),
      schema: dashboardRoute({
        id: 'signOut',
        area: 'Sign-in',
        summary: 'Sign out',
        response: null,
        status: 204,
      }),
    },
    async (request, reply) => {
      const { userId, sessionId } = signedInOf(request);
      await deps.storage.sessions.end(userId, sessionId);
      deps.cookie.drop(reply);
      return reply.code(204).send();
    },
  );
}

/** Gives the browser its new session and returns the person. */
export async function sendNewSession(
  deps: SessionRouteDeps,
  reply: FastifyReply,
  made: NewSession,
  address: string,
): Promise<SessionResponse> {
  const found = await readSession(deps, made.token, address);
  if (found === null) throw new Error('a session that was just created is gone');
  deps.cookie.give(reply, made.token, found.signedIn.expiresAtMs - deps.clock.now());
  if (made.knownToken !== null) deps.cookie.giveKnown(reply, made.knownToken, KNOWN_BROWSER_MS);
  return await sessionResponse(deps, found.signedIn);
}

/** Returns the same session after a change to it. */
export async function rereadSession(
  deps: SessionRouteDeps,
  request: FastifyRequest,
): Promise<SessionResponse> {
  const found = await readSession(deps, request.cookies[SESSION_COOKIE] ?? '', request.ip);
  if (found === null) throw new CodedError('not_signed_in');
  return await sessionResponse(deps, found.signedIn);
}

async function sessionResponse(
  deps: Pick<SessionRouteDeps, 'storage'>,
  signedIn: SignedIn,
): Promise<SessionResponse> {
  const { membership, ssoOrganizationId } = signedIn;
  const all = await deps.storage.organizations.listForUser(signedIn.userId);
  const projectRoles =
    membership === null || membership.lacksSso || membership.lacksSecondFactor
      ? []
      : await deps.storage.members.listProjectRoles(membership.organizationId, { userId: signedIn.userId });
  const organizations = all.filter(({ id }) => ssoOrganizationId === null || id === ssoOrganizationId);
  return {
    user: {
      id: signedIn.userId,
      email: signedIn.email,
      name: signedIn.name,
      email_verified: signedIn.isEmailVerified,
      second_factor: signedIn.hasSecondFactor,
    },
    organization:
      membership === null
        ? null
        : {
            id: membership.organizationId,
            name: membership.organizationName,
            kind: membership.organizationKind,
            role: membership.role,
            plan: membership.account.planName,
            subscription_status: membership.account.status,
            project_roles: strongestRoles(projectRoles),
            sso_missing: membership.lacksSso,
            second_factor_missing: membership.lacksSecondFactor,
          },
    organizations: organizations.map(({ id, name, kind, role, ownerEmail }) => ({
      id,
      name,
      kind,
      role,
      owner_email: ownerEmail,
    })),
    signed_in_by: ssoOrganizationId === null ? 'password' : 'sso',
    csrf_token: signedIn.csrfToken,
    expires_at: new Date(signedIn.expiresAtMs).toISOString(),
  };
}
