import {
  type ChangeEmailRequest,
  type ChangePasswordRequest,
  changeAccountRequestSchema,
  changeEmailRequestSchema,
  changePasswordRequestSchema,
  confirmedRequestSchema,
  endedSessionsSchema,
  idSchema,
  linkRequestSchema,
  type OwnSession,
  ownSessionSchema,
  sessionSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { AccountDeps } from '../../flows/accounts/account-deps.ts';
import { changePassword } from '../../flows/accounts/change-password.ts';
import { deleteAccount } from '../../flows/accounts/delete-account.ts';
import type { DeleteOrganizationDeps } from '../../flows/accounts/delete-organization.ts';
import { endOtherSessions, endSession } from '../../flows/accounts/end-sessions.ts';
import { changeEmail, resendVerification, verifyEmail } from '../../flows/accounts/verify-email.ts';
import { needsSession } from '../../plugins/route-access.ts';
import { signedInOf } from '../../plugins/session.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { browserOf } from './browser-of.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { type SessionRouteDeps, sendNewSession } from './session.ts';

const sessionParams = Type.Object({ session_id: idSchema });

const config = needsSession();
const noContent = { response: null, status: 204 } as const;

/** Registers changes of a person's own account. */
export function registerOwnAccount(
  app: FastifyInstance,
  deps: AccountDeps & SessionRouteDeps & DeleteOrganizationDeps,
): void {
  registerProfile(app, deps);
  registerPassword(app, deps);
  registerEmail(app, deps);
  registerSessions(app, deps);
}

function registerProfile(
  app: FastifyInstance,
  deps: AccountDeps & SessionRouteDeps & DeleteOrganizationDeps,
): void {
  app.patch<{ Body: { readonly name: string } }>(
    '/account',
    {
      config,
      schema: dashboardRoute({
        id: 'updateAccount',
        area: 'Account',
        summary: 'Change your name',
        body: changeAccountRequestSchema,
        ...noContent,
      }),
    },
    async (request, reply) => {
      const name = request.body.name.trim() || null;
      await deps.storage.users.update(signedInOf(request).userId, { name });
      return reply.code(204).send();
    },
  );

  app.delete<{ Body: { readonly current_password: string } }>(
    '/account',
    {
      config,
      schema: dashboardRoute({
        id: 'deleteAccount',
        area: 'Account',
        summary: 'Delete your account',
        description:
          'Deletes the organizations of which you are the only member, ends your other memberships, then deletes the account. While an organization you own has other members: 409 `owner_protected`.',
        body: confirmedRequestSchema,
        ...noContent,
        codes: ['owner_protected', 'rate_limit_exceeded'],
      }),
    },
    async (request, reply) => {
      await deleteAccount(deps, signedInOf(request), request.body.current_password);
      deps.cookie.drop(reply);
      return reply.code(204).send();
    },
  );
}

function registerPassword(
  app: FastifyInstance,
  deps: AccountDeps & SessionRouteDeps & DeleteOrganizationDeps,
): void {
  app.post<{ Body: ChangePasswordRequest }>(
    '/account/password',
    {
      config,
      schema: dashboardRoute({
        id: 'changePassword',
        area: 'Account',
        summary: 'Change your password',
        description: 'Ends every other session; this one gets a new cookie and CSRF token.',
        body: changePasswordRequestSchema,
        response: sessionSchema,
        codes: ['rate_limit_exceeded'],
      }),
    },
    async (request, reply) => {
      const made = await changePassword(deps, signedInOf(request), request.body, browserOf(request));
      return await sendNewSession(deps, reply, made, request.ip);
    },
  );
}

function registerEmail(
  app: FastifyInstance,
  deps: AccountDeps & SessionRouteDeps & DeleteOrganizationDeps,
): void {
  app.post<{ Body: ChangeEmailRequest }>(
    '/account/email',
    {
      config,
      schema: dashboardRoute({
        id: 'changeEmail',
        area: 'Account',
        summary: 'Change your email address',
        description: 'Takes effect once you follow the link sent to the new address.',
        body: changeEmailRequestSchema,
        ...noContent,
        codes: ['rate_limit_exceeded'],
      }),
    },
    async (request, reply) => {
      await changeEmail(deps, signedInOf(request), request.body);
      return reply.code(204).send();
    },
  );

  app.post(
    '/account/email/resend',
    {
      config,
      schema: dashboardRoute({
        id: 'resendEmailVerification',
        area: 'Account',
        summary: 'Send the confirmation email again',
        ...noContent,
        codes: ['invalid_state', 'rate_limit_exceeded'],
      }),
    },
    async (request, reply) => {
      await resendVerification(deps, signedInOf(request));
      return reply.code(204).send();
    },
  );

  app.post<{ Body: { readonly token: string } }>(
    '/account/email/verify',
    {
      config,
      schema: dashboardRoute({
        id: 'verifyEmail',
        area: 'Account',
        summary: 'Confirm your email address',
        description: 'Takes the token of the email, in a session of the account that it belongs to.',
        body: linkRequestSchema,
        ...noContent,
        codes: ['link_expired'],
      }),
    },
    async (request, reply) => {
      await verifyEmail(deps, signedInOf(request), request.body.token);
      return reply.code(204).send();
    },
  );
}

function registerSessions(
  app: FastifyInstance,
  deps: AccountDeps & SessionRouteDeps & DeleteOrganizationDeps,
): void {
  app.get(
    '/account/sessions',
    {
      config,
      schema: dashboardRoute({
        id: 'listAccountSessions',
        area: 'Account',
        summary: 'List your sessions',
        response: Type.Array(ownSessionSchema),
      }),
    },
    async (request): Promise<OwnSession[]> => {
      const { userId, sessionId } = signedInOf(request);
      return (await deps.storage.sessions.list(userId)).map((session) => ({
        ...shownSession(session),
        is_this: session.id === sessionId,
      }));
    },
  );

  app.delete<{ Params: { session_id: string } }>(
    '/account/sessions/:session_id',
    {
      config,
      schema: dashboardRoute({
        id: 'endAccountSession',
        area: 'Account',
        summary: 'End one of your sessions',
        params: sessionParams,
        ...noContent,
        codes: ['not_found'],
      }),
    },
    async (request, reply) => {
      await endSession(deps, signedInOf(request), request.params.session_id);
      return reply.code(204).send();
    },
  );

  app.delete(
    '/account/sessions',
    {
      config,
      schema: dashboardRoute({
        id: 'endOtherSessions',
        area: 'Account',
        summary: 'End all your other sessions',
        response: endedSessionsSchema,
      }),
    },
    async (request) => ({ ended: await endOtherSessions(deps, signedInOf(request)) }),
  );
}

const shownSession = wireOf(ownSessionSchema, 'is_this');
