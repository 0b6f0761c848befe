import {
  type ChangeSsoRequest,
  CodedError,
  changeSsoRequestSchema,
  type SsoResponse,
  ssoIdentitySchema,
  ssoSchema,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type ChangeSsoDeps, changeSso, removeSso } from '../../flows/single-sign-on/change-sso.ts';
import { completeSso } from '../../flows/single-sign-on/complete-sso.ts';
import { findSso } from '../../flows/single-sign-on/find-sso.ts';
import { SSO_SIGN_IN_MS, type SsoDeps, startSso } from '../../flows/single-sign-on/start-sso.ts';
import { needsRole, needsSession, openToAll } from '../../plugins/route-access.ts';
import { type MemberCaller, memberOf, signedInOf } from '../../plugins/session.ts';
import { SSO_BROWSER_COOKIE } from '../../plugins/session-cookie.ts';
import { randomBase62 } from '../../storage/ids.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { browserOf } from './browser-of.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { type SessionRouteDeps, sendNewSession } from './session.ts';

export interface SsoRouteDeps extends SsoDeps, SessionRouteDeps, ChangeSsoDeps {
  readonly storage: SessionRouteDeps['storage'];
}

interface StartQuery {
  readonly organization?: string;
  readonly email?: string;
  readonly link?: '1';
}

const startQuery = Type.Object({
  organization: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  email: Type.Optional(
    Type.String({ maxLength: 254, description: 'Email address; its domain identifies the organization.' }),
  ),
  link: Type.Optional(
    Type.Literal('1', { description: 'Links the identity to the account that is signed in.' }),
  ),
});
const callbackQuery = Type.Object({ state: Type.Optional(Type.String({ maxLength: 200 })) });

export function registerSingleSignOn(app: FastifyInstance, deps: SsoRouteDeps): void {
  registerSignIn(app, deps);
  registerSettings(app, deps);
  registerIdentities(app, deps);
}

function registerSignIn(app: FastifyInstance, deps: SsoRouteDeps): void {
  app.get<{ Querystring: StartQuery }>(
    '/sso/start',
    {
      config: openToAll(),
      schema: dashboardRoute({
        id: 'startSingleSignOn',
        area: 'Sign-in',
        summary: 'Begin single sign-on',
        description: 'Sends the browser to the identity provider of the organization (OpenID Connect).',
        query: startQuery,
        response: null,
        status: 302,
        codes: ['not_found', 'not_signed_in', 'sso_refused', 'sso_unavailable'],
        isPublic: true,
      }),
    },
    async (request, reply) => {
      try {
        const { organization, email, link } = request.query;
        const linked = link === undefined ? null : personToLink(request);
        const browser = request.cookies[SSO_BROWSER_COOKIE] ?? randomBase62(43);
        const url = await startSso(deps, { organization, email, browser, linked });
        deps.cookie.giveSsoBrowser(reply, browser, SSO_SIGN_IN_MS);
        return reply.redirect(url.href, 302);
      } catch (error) {
        return sendSsoProblem(request, reply, error);
      }
    },
  );

  app.get<{ Querystring: { readonly state?: string } }>(
    '/sso/callback',
    {
      config: openToAll(),
      schema: dashboardRoute({
        id: 'completeSingleSignOn',
        area: 'Sign-in',
        summary: 'Complete single sign-on',
        description: 'The identity provider redirects the browser here.',
        query: callbackQuery,
        response: null,
        status: 302,
        codes: ['sso_refused', 'sso_unavailable'],
        isPublic: true,
      }),
    },
    async (request, reply) => {
      try {
        return await completeInBrowser(deps, request, reply);
      } catch (error) {
        return sendSsoProblem(request, reply, error);
      }
    },
  );
}

async function completeInBrowser(
  deps: SsoRouteDeps,
  request: FastifyRequest<{ Querystring: { readonly state?: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { search } = new URL(request.url, 'http://localhost');
  const { session } = await completeSso(deps, {
    url: new URL(search, deps.links.ssoCallback()),
    state: request.query.state ?? '',
    secret: request.cookies[SSO_BROWSER_COOKIE] ?? '',
    browser: browserOf(request),
  });
  if (session !== null) await sendNewSession(deps, reply, session, request.ip);
  return reply.redirect(deps.links.page(session === null ? 'account' : ''), 302);
}

/** Only a password sign-in may link an identity to the account. */
function personToLink({ signedIn }: FastifyRequest) {
  if (signedIn === null) throw new CodedError('not_signed_in');
  if (signedIn.ssoOrganizationId === null) return signedIn;
  throw new CodedError('sso_refused', {
    message: 'Sign in by password to link an identity to your account.',
  });
}

function registerSettings(app: FastifyInstance, deps: SsoRouteDeps): void {
  const config = needsRole('admin');
  app.get(
    '/organization/sso',
    {
      config,
      schema: dashboardRoute({
        id: 'getSingleSignOn',
        area: 'Organization',
        summary: 'Get single sign-on of the organization',
        response: ssoSchema,
      }),
    },
    (request) => ssoResponse(deps, memberOf(request)),
  );

  app.put<{ Body: ChangeSsoRequest }>(
    '/organization/sso',
    {
      config,
      schema: dashboardRoute({
        id: 'setSingleSignOn',
        area: 'Organization',
        summary: 'Set up single sign-on of the organization',
        description:
          'OpenID Connect. A domain that is not proven yet is a 422 that names the DNS record to add. A change of the issuer or client ends the sessions of the previous one.',
        body: changeSsoRequestSchema,
        response: ssoSchema,
        codes: ['invalid_state'],
      }),
    },
    async (request) => {
      await changeSso(deps, memberOf(request), request.body);
      return await ssoResponse(deps, memberOf(request));
    },
  );

  app.delete(
    '/organization/sso',
    {
      config,
      schema: dashboardRoute({
        id: 'removeSingleSignOn',
        area: 'Organization',
        summary: 'Remove single sign-on of the organization',
        description: 'Ends the single sign-on sessions, and resets `sso_only`.',
        response: null,
        status: 204,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request, reply) => {
      await removeSso(deps, memberOf(request));
      return reply.code(204).send();
    },
  );
}

function registerIdentities(app: FastifyInstance, deps: SsoRouteDeps): void {
  app.get(
    '/account/identities',
    {
      config: needsSession(),
      schema: dashboardRoute({
        id: 'listLinkedIdentities',
        area: 'Account',
        summary: 'List the identities linked to your account',
        response: Type.Array(ssoIdentitySchema),
      }),
    },
    async (request) =>
      (await deps.storage.singleSignOn.listIdentities(signedInOf(request).userId)).map(identityRecord),
  );
}

async function ssoResponse(deps: SsoRouteDeps, { organizationId }: MemberCaller): Promise<SsoResponse> {
  const sso = await findSso(deps, organizationId);
  return {
    source: sso?.source ?? 'none',
    issuer: sso?.provider.issuer ?? null,
    client_id: sso?.provider.clientId ?? null,
    has_client_secret: (sso?.provider.clientSecret ?? null) !== null,
    domains: [...(sso?.domains ?? [])],
    role_claim: sso?.roleClaim ?? null,
    email_trust: sso?.emailTrust ?? 'verified',
    sign_in_url: deps.links.ssoStart(organizationId),
    redirect_url: deps.links.ssoCallback(),
  };
}

const identityRecord = wireOf(ssoIdentitySchema);

/** A browser on its way to or from a provider gets an error page; programs get the usual envelope. */
function sendSsoProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const isPage = request.headers.accept?.includes('text/html') ?? false;
  if (!(error instanceof CodedError) || !isPage) throw error;
  return reply.code(error.status).type('text/html; charset=utf-8').send(pageOf(error.message));
}

function pageOf(message: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Single sign-on</title>
<main>
<h1>You are not signed in</h1>
<p>${escapeHtml(message)}</p>
<p><a href="/dashboard/">Back to sign-in</a></p>
</main>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
