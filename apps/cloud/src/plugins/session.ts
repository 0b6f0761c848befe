import { timingSafeEqual } from 'node:crypto';
import { CodedError, CSRF_HEADER } from '@csg/shared/contract';
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admin } from '../access/caller.ts';
import { hasRole, higherRole } from '../access/require-role.ts';
import { coversOperation, tokenScopeOf } from '../access/token-operations.ts';
import { readOrganizationToken } from '../flows/accounts/organization-tokens.ts';
import {
  type Membership,
  type ReadSessionDeps,
  readSession,
  type SignedIn,
} from '../flows/accounts/read-session.ts';
import type { Role, Storage } from '../storage/storage.ts';
import type { RouteAccess } from './route-access.ts';
import { SESSION_COOKIE, type SessionCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person; null on public routes that were called without a session. */
    signedIn: SignedIn | null;
    /** True if an organization token acts for the person. */
    isByToken: boolean;
  }
}

/** A signed-in person in the selected organization. Can be used as the `Admin` of a flow. */
export interface MemberCaller extends Admin, Membership {
  readonly organizationId: string;
  readonly userId: string;
  readonly session: SignedIn;
}

export interface SessionDeps extends ReadSessionDeps {
  readonly storage: ReadSessionDeps['storage'] & Pick<Storage, 'organizationTokens' | 'members'>;
  readonly cookie: SessionCookie;
  /** Returns true for the public origin of the service. */
  readonly isOwnOrigin: (origin: string) => boolean;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * For all routes of the scope registered from here on: changes must come from the service's own pages; a route that
 * requires a session gets its person in the required role, and every change needs the session's CSRF token.
 */
export async function registerSessions(app: FastifyInstance, deps: SessionDeps): Promise<void> {
  await app.register(cookie);
  app.decorateRequest('signedIn', null);
  app.decorateRequest('isByToken', false);
  app.addHook('onRequest', (request, reply) => signIn(deps, request, reply));
}

async function signIn(deps: SessionDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const access = request.routeOptions.config.access;
  const isChange = !SAFE_METHODS.has(request.method);
  const [, bearer] = /^Bearer +(svc_admin_\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (bearer !== undefined && access?.auth === 'session') {
    request.signedIn = await withProjectRole(deps, request, await signInByToken(deps, request, bearer));
    await requireMembership(deps, request.signedIn, access);
    return;
  }
  if (isChange) requireOwnPage(request, deps.isOwnOrigin);
  const token = request.cookies[SESSION_COOKIE];
  const found = token ? await readSession(deps, token, request.ip) : null;
  if (found === null) {
    if (token) deps.cookie.drop(reply);
    if (access?.auth === 'session') throw new CodedError('not_signed_in');
    return;
  }
  request.signedIn = await withProjectRole(deps, request, found.signedIn);
  if (found.newToken !== null) {
    deps.cookie.give(reply, found.newToken, found.signedIn.expiresAtMs - deps.clock.now());
  }
  if (access?.auth !== 'session') return;
  if (isChange) requireCsrfToken(request, found.signedIn.csrfToken);
  await requireMembership(deps, request.signedIn, access);
}

/** If the URL names a project, applies the role in that project. */
async function withProjectRole(
  { storage }: SessionDeps,
  request: FastifyRequest,
  signedIn: SignedIn,
): Promise<SignedIn> {
  const { membership, userId } = signedIn;
  const { project_id: projectId } = request.params as { readonly project_id?: string };
  if (projectId === undefined || membership === null || hasRole(membership.role, 'admin')) return signedIn;
  const inProject = await storage.members.getProjectRole(membership.organizationId, userId, projectId);
  return { ...signedIn, membership: { ...membership, role: higherRole(membership.role, inProject) } };
}

async function requireMembership(
  deps: SessionDeps,
  signedIn: SignedIn,
  access: Extract<RouteAccess, { auth: 'session' }>,
): Promise<void> {
  const { membership, ssoOrganizationId } = signedIn;
  const { role, isForSso } = access;
  if (ssoOrganizationId !== null && !isForSso) {
    throw new CodedError('insufficient_role', {
      message:
        'This session belongs to single sign-on of an organization. Sign in with your password to manage your account.',
      fields: { required_role: 'account' },
    });
  }
  if (role === null) return;
  if (membership === null) {
    throw new CodedError('insufficient_role', {
      message: 'You do not belong to an organization yet. Create one, or accept an invitation.',
      fields: { required_role: role },
    });
  }
  if (membership.lacksSso) {
    throw new CodedError('sso_required', { fields: { organization_id: membership.organizationId } });
  }
  if (membership.lacksSecondFactor) throw new CodedError('second_factor_missing');
  if (!(await isAllowed(deps, signedIn.userId, membership, { ...access, role }))) {
    throw new CodedError('insufficient_role', { fields: { required_role: role } });
  }
}

async function isAllowed(
  { storage }: SessionDeps,
  userId: string,
  { organizationId, role }: Membership,
  access: { readonly role: Role; readonly isForAuditors: boolean; readonly isByProject: boolean },
): Promise<boolean> {
  if (hasRole(role, access.role) || (access.isForAuditors && role === 'auditor')) return true;
  if (!access.isByProject) return false;
  const roles = await storage.members.listProjectRoles(organizationId, { userId });
  return roles.some((one) => hasRole(one.role, access.role));
}

/** Programs send no cookies, so no other page can forge their requests: no CSRF token is needed. */
async function signInByToken(deps: SessionDeps, request: FastifyRequest, bearer: string): Promise<SignedIn> {
  const found = await readOrganizationToken(deps, bearer);
  if (found === null) {
    throw new CodedError('unauthorized', {
      message: 'This organization token is unknown or has expired, or its creator is no longer an admin.',
    });
  }
  const operationId = String((request.routeOptions.schema as { operationId?: string })?.operationId);
  if (!coversOperation(found.token.scopes, operationId)) {
    const needed = tokenScopeOf(operationId);
    throw new CodedError('insufficient_scope', {
      message: 'This organization token lacks the scope for this request.',
      fields: { required_scope: needed === null ? 'none' : `${needed.area}${needed.isRead ? ':read' : ''}` },
    });
  }
  request.isByToken = true;
  return found.signedIn;
}

/** Returns the person on a route that requires a session. */
export function signedInOf(request: FastifyRequest): SignedIn {
  if (request.signedIn === null) throw new Error(`${request.url} has no session: its route requires none`);
  return request.signedIn;
}

/** Returns the person in their organization on a route that requires a role. */
export function memberOf(request: FastifyRequest): MemberCaller {
  const session = signedInOf(request);
  if (session.membership === null)
    throw new Error(`${request.url} has no member: its route requires no role`);
  return { ...session.membership, id: session.userId, userId: session.userId, session };
}

/** A token cannot assign a role above member, even if its creator can. */
export function requireTokenRole(request: FastifyRequest, given: Role): void {
  if (!request.isByToken || given === 'member' || given === 'viewer') return;
  throw new CodedError('insufficient_scope', {
    message: 'An organization token cannot give a role above member.',
    fields: { required_scope: 'none' },
  });
}

/** Browsers send the origin of a request; programs that do not send it do not send cookies by accident either. */
function requireOwnPage(request: FastifyRequest, isOwnOrigin: SessionDeps['isOwnOrigin']): void {
  const { 'sec-fetch-site': site, origin, host } = request.headers;
  const isOwn =
    site === undefined
      ? origin === undefined || isOwnOrigin(origin) || URL.parse(origin)?.host === host
      : site === 'same-origin';
  if (!isOwn) throw new CodedError('foreign_request');
}

function requireCsrfToken(request: FastifyRequest, expected: string): void {
  const sent = Buffer.from(String(request.headers[CSRF_HEADER.toLowerCase()] ?? ''));
  const token = Buffer.from(expected);
  if (sent.length !== token.length || !timingSafeEqual(sent, token)) throw new CodedError('foreign_request');
}
