import {
  type AcceptInvitationRequest,
  acceptInvitationRequestSchema,
  type InvitationPreview,
  type InvitationRecord,
  type InviteRequest,
  idSchema,
  invitationPreviewSchema,
  invitationSchema,
  inviteRequestSchema,
  linkRequestSchema,
  sessionSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { acceptInvitation, readInvitation } from '../../flows/accounts/accept-invitation.ts';
import { invite, resendInvitation, revokeInvitation } from '../../flows/accounts/invitations.ts';
import { needsRole, openToAll } from '../../plugins/route-access.ts';
import { memberOf, requireTokenRole } from '../../plugins/session.ts';
import type { Invitation } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { browserOf } from './browser-of.ts';
import { dashboardRoute } from './dashboard-route.ts';
import type { OrganizationRouteDeps } from './organizations.ts';
import { rereadSession, sendNewSession } from './session.ts';

const params = Type.Object({ invitation_id: idSchema });
type Params = { invitation_id: string };

const config = needsRole('admin');

export function registerInvitations(app: FastifyInstance, deps: OrganizationRouteDeps): void {
  registerSentInvitations(app, deps);
  registerReceivedInvitations(app, deps);
}

function registerSentInvitations(app: FastifyInstance, deps: OrganizationRouteDeps): void {
  const recordOf = async (invitation: Invitation) => {
    const inviter = await deps.storage.users.get(invitation.invitedBy);
    return invitationRecord(
      invitation,
      inviter === null ? null : (inviter.name ?? inviter.email),
      deps.clock.now(),
    );
  };

  app.get(
    '/invitations',
    {
      config,
      schema: dashboardRoute({
        id: 'listInvitations',
        area: 'Members',
        summary: 'List open invitations',
        response: Type.Array(invitationSchema),
      }),
    },
    async (request) =>
      await Promise.all(
        (await deps.storage.invitations.listOpen(memberOf(request).organizationId)).map(recordOf),
      ),
  );

  app.post<{ Body: InviteRequest }>(
    '/invitations',
    {
      config,
      schema: dashboardRoute({
        id: 'inviteMember',
        area: 'Members',
        summary: 'Invite a member',
        body: inviteRequestSchema,
        response: invitationSchema,
        codes: ['email_not_verified', 'invalid_state', 'plan_limit_reached', 'rate_limit_exceeded'],
      }),
    },
    async (request) => {
      requireTokenRole(request, request.body.role);
      return recordOf(await invite(deps, memberOf(request), request.body));
    },
  );

  app.post<{ Params: Params }>(
    '/invitations/:invitation_id/resend',
    {
      config,
      schema: dashboardRoute({
        id: 'resendInvitation',
        area: 'Members',
        summary: 'Send an invitation again',
        description: 'Sends a new link; the previous one becomes invalid.',
        params,
        response: invitationSchema,
        codes: ['not_found', 'invalid_state', 'rate_limit_exceeded', 'plan_limit_reached'],
      }),
    },
    async (request) =>
      recordOf(await resendInvitation(deps, memberOf(request), request.params.invitation_id)),
  );

  app.delete<{ Params: Params }>(
    '/invitations/:invitation_id',
    {
      config,
      schema: dashboardRoute({
        id: 'revokeInvitation',
        area: 'Members',
        summary: 'Revoke an invitation',
        params,
        response: null,
        status: 204,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request, reply) => {
      await revokeInvitation(deps, memberOf(request), request.params.invitation_id);
      return reply.code(204).send();
    },
  );
}

function registerReceivedInvitations(app: FastifyInstance, deps: OrganizationRouteDeps): void {
  app.post<{ Body: { readonly token: string } }>(
    '/invitation',
    {
      config: openToAll(),
      schema: dashboardRoute({
        id: 'previewInvitation',
        area: 'Sign-in',
        summary: 'Read an invitation by its token',
        description: 'Takes the token of the email.',
        body: linkRequestSchema,
        response: invitationPreviewSchema,
        codes: ['link_expired'],
        isPublic: true,
      }),
    },
    async (request): Promise<InvitationPreview> => {
      const { invitation, organizationName, ownerEmail, user } = await readInvitation(
        deps,
        request.body.token,
      );
      return {
        organization_name: organizationName,
        owner_email: ownerEmail,
        email: invitation.email,
        role: invitation.role,
        has_account: user !== null,
        expires_at: isoTime(invitation.expiresAtMs),
      };
    },
  );

  app.post<{ Body: AcceptInvitationRequest }>(
    '/invitation/accept',
    {
      config: openToAll(),
      schema: dashboardRoute({
        id: 'acceptInvitation',
        area: 'Sign-in',
        summary: 'Accept an invitation by its token',
        description:
          'Requires either a session of the invited account, or a password, which creates the account.',
        body: acceptInvitationRequestSchema,
        response: sessionSchema,
        codes: ['link_expired', 'not_signed_in', 'invalid_state'],
        isPublic: true,
      }),
    },
    async (request, reply) => {
      // A single sign-on session cannot act for the account.
      const { signedIn } = request;
      const person = signedIn?.ssoOrganizationId === null ? signedIn : null;
      const made = await acceptInvitation(deps, request.body, person, browserOf(request));
      return made === null
        ? await rereadSession(deps, request)
        : await sendNewSession(deps, reply, made, request.ip);
    },
  );
}

const shownInvitation = wireOf(invitationSchema, 'state', 'invited_by_name');

function invitationRecord(
  invitation: Invitation,
  invitedByName: string | null,
  nowMs: number,
): InvitationRecord {
  return {
    ...shownInvitation(invitation),
    invited_by_name: invitedByName,
    state: invitation.expiresAtMs <= nowMs ? 'expired' : 'open',
  };
}
