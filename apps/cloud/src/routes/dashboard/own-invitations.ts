import { idSchema, type OwnInvitationRecord, ownInvitationSchema, sessionSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  acceptOwnInvitation,
  declineInvitation,
  listOwnInvitations,
  type OwnInvitation,
} from '../../flows/accounts/accept-invitation.ts';
import { needsSession } from '../../plugins/route-access.ts';
import { signedInOf } from '../../plugins/session.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { dashboardRoute } from './dashboard-route.ts';
import type { OrganizationRouteDeps } from './organizations.ts';
import { rereadSession } from './session.ts';

const params = Type.Object({ invitation_id: idSchema });
type Params = { invitation_id: string };

/** Invitations to the signed-in person's address, as they are emailed. */
export function registerOwnInvitations(app: FastifyInstance, deps: OrganizationRouteDeps): void {
  const config = needsSession();

  app.get(
    '/account/invitations',
    {
      config,
      schema: dashboardRoute({
        id: 'listAccountInvitations',
        area: 'Account',
        summary: 'List your invitations',
        description: 'Open invitations to the confirmed email address of the account.',
        response: Type.Array(ownInvitationSchema),
      }),
    },
    async (request) => (await listOwnInvitations(deps, signedInOf(request))).map(ownRecord),
  );

  app.post<{ Params: Params }>(
    '/account/invitations/:invitation_id/accept',
    {
      config,
      schema: dashboardRoute({
        id: 'acceptAccountInvitation',
        area: 'Account',
        summary: 'Accept one of your invitations',
        description: 'Requires no link. The session switches to the organization.',
        params,
        response: sessionSchema,
        codes: ['not_found', 'link_expired'],
      }),
    },
    async (request) => {
      await acceptOwnInvitation(deps, signedInOf(request), request.params.invitation_id);
      return await rereadSession(deps, request);
    },
  );

  app.delete<{ Params: Params }>(
    '/account/invitations/:invitation_id',
    {
      config,
      schema: dashboardRoute({
        id: 'declineAccountInvitation',
        area: 'Account',
        summary: 'Decline one of your invitations',
        params,
        response: null,
        status: 204,
        codes: ['not_found', 'link_expired'],
      }),
    },
    async (request, reply) => {
      await declineInvitation(deps, signedInOf(request), request.params.invitation_id);
      return reply.code(204).send();
    },
  );
}

function ownRecord(one: OwnInvitation): OwnInvitationRecord {
  const { invitation, organizationName, ownerEmail, inviterEmail } = one;
  return {
    id: invitation.id,
    organization_name: organizationName,
    owner_email: ownerEmail,
    role: invitation.role,
    invited_by: inviterEmail,
    sent_at: isoTime(invitation.sentAtMs),
    expires_at: isoTime(invitation.expiresAtMs),
  };
}
