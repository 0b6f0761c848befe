import {
  type ChangeOrganizationRequest,
  changeOrganizationRequestSchema,
  confirmedRequestSchema,
  createOrganizationRequestSchema,
  directoryGroupSchema,
  idSchema,
  type OrganizationResponse,
  organizationSchema,
  selectOrganizationRequestSchema,
  sessionSchema,
  type TransferRequest,
  transferRequestSchema,
  transferResponseSchema,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { hasFeature } from '../../access/require-feature.ts';
import type { AccountDeps } from '../../flows/accounts/account-deps.ts';
import { type DeleteOrganizationDeps, deleteOrganization } from '../../flows/accounts/delete-organization.ts';
import {
  changeOrganization,
  createOrganization,
  selectOrganization,
} from '../../flows/accounts/organizations.ts';
import { offerTransfer } from '../../flows/accounts/transfer-organization.ts';
import type { EnvironmentSso } from '../../flows/single-sign-on/find-sso.ts';
import { needsRole, needsSession } from '../../plugins/route-access.ts';
import { memberOf, signedInOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { rereadSession, type SessionRouteDeps } from './session.ts';

const organizationParams = Type.Object({ organization_id: idSchema });

export interface OrganizationRouteDeps extends AccountDeps, SessionRouteDeps, DeleteOrganizationDeps {
  readonly storage: Storage;
  readonly log: SessionRouteDeps['log'] & DeleteOrganizationDeps['log'];
  readonly signUp: 'open' | 'invitation';
  readonly environmentSso: EnvironmentSso | null;
}

export function registerOrganizations(app: FastifyInstance, deps: OrganizationRouteDeps): void {
  registerOwnOrganizations(app, deps);
  registerSelectedOrganization(app, deps);
}

function registerOwnOrganizations(app: FastifyInstance, deps: OrganizationRouteDeps): void {
  app.post<{ Body: { readonly name: string } }>(
    '/organizations',
    {
      config: needsSession(),
      schema: dashboardRoute({
        id: 'createOrganization',
        area: 'Organization',
        summary: 'Create an organization',
        description: 'The session switches to it.',
        body: createOrganizationRequestSchema,
        response: sessionSchema,
        codes: ['email_not_verified', 'sign_up_closed', 'plan_limit_reached'],
      }),
    },
    async (request) => {
      await createOrganization(deps, signedInOf(request), request.body.name);
      return await rereadSession(deps, request);
    },
  );

  app.delete<{ Params: { organization_id: string }; Body: { readonly current_password: string } }>(
    '/organizations/:organization_id',
    {
      config: needsSession(),
      schema: dashboardRoute({
        id: 'deleteOrganization',
        area: 'Organization',
        summary: 'Delete an organization',
        description:
          'Requires the owner and their password. Every membership ends; projects, keys and devices are deleted within a second on every instance. The audit log is kept.',
        params: organizationParams,
        body: confirmedRequestSchema,
        response: null,
        status: 204,
        codes: ['not_found', 'insufficient_role', 'second_factor_missing', 'rate_limit_exceeded'],
      }),
    },
    async (request, reply) => {
      const { organization_id: organizationId } = request.params;
      await deleteOrganization(deps, signedInOf(request), organizationId, request.body.current_password);
      return reply.code(204).send();
    },
  );

  app.post<{ Body: { readonly organization_id: string } }>(
    '/session/organization',
    {
      config: needsSession(),
      schema: dashboardRoute({
        id: 'selectOrganization',
        area: 'Organization',
        summary: 'Switch to another organization',
        body: selectOrganizationRequestSchema,
        response: sessionSchema,
        codes: ['not_found'],
      }),
    },
    async (request) => {
      await selectOrganization(deps, signedInOf(request), request.body.organization_id);
      return await rereadSession(deps, request);
    },
  );
}

function registerSelectedOrganization(app: FastifyInstance, deps: OrganizationRouteDeps): void {
  app.get(
    '/organization',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getOrganization',
        area: 'Organization',
        summary: 'Get the current organization',
        response: organizationSchema,
      }),
    },
    (request) => organizationResponse(deps, request),
  );

  app.patch<{ Body: ChangeOrganizationRequest }>(
    '/organization',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'updateOrganization',
        area: 'Organization',
        summary: 'Update the organization',
        description:
          'Changes the name, whether members need a second factor or single sign-on (`sso_only`; the owner keeps their password), the addresses from which keys may be used (Enterprise), and the roles of groups (`role_map`).',
        body: changeOrganizationRequestSchema,
        response: organizationSchema,
        codes: ['feature_not_available', 'invalid_state'],
      }),
    },
    async (request) => {
      await changeOrganization(deps, memberOf(request), request.body);
      return await organizationResponse(deps, request);
    },
  );

  app.get(
    '/organization/groups',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'listDirectoryGroups',
        area: 'Organization',
        summary: 'List the groups of the directory',
        description: 'Groups that a directory pushed by SCIM, at most 500, oldest first.',
        response: Type.Array(directoryGroupSchema),
      }),
    },
    async (request) => {
      const { organizationId } = memberOf(request);
      const { directoryGroups } = deps.storage;
      const { groups } = await directoryGroups.list(organizationId, { offset: 0, limit: 500 });
      const members = await directoryGroups.countMembers(
        organizationId,
        groups.map(({ id }) => id),
      );
      return groups.map(({ id, displayName, externalId }) => ({
        ...{ id, name: displayName, external_id: externalId, members: members.get(id) ?? 0 },
      }));
    },
  );

  app.post<{ Body: TransferRequest }>(
    '/organization/transfer',
    {
      config: needsRole('owner'),
      schema: dashboardRoute({
        id: 'transferOrganization',
        area: 'Organization',
        summary: 'Offer the organization to another member',
        description:
          'The member is sent an invitation as owner and owns the organization once they accept. The previous owner stays as an admin.',
        body: transferRequestSchema,
        response: transferResponseSchema,
        codes: ['not_found', 'email_not_verified', 'rate_limit_exceeded'],
      }),
    },
    async (request) => {
      const { plan, invitation } = await offerTransfer(deps, memberOf(request), request.body);
      return { plan, invitation_id: invitation.id, expires_at: isoTime(invitation.expiresAtMs) };
    },
  );
}

async function organizationResponse(
  deps: OrganizationRouteDeps,
  request: FastifyRequest,
): Promise<OrganizationResponse> {
  const caller = memberOf(request);
  const organization = await deps.storage.organizations.get(caller.organizationId);
  const map = await deps.storage.roleMap.list(caller.organizationId);
  if (organization === null) throw new Error('an organization with a member is gone');
  return {
    ...shownOrganization(organization),
    role_map: map.map(({ groupValue, role, projectId, byName }) => ({
      ...{ group: groupValue, role, project_id: projectId, by_name: byName },
    })),
    role: caller.role,
    plan: caller.account.planName,
    ip_allow_list_available: hasFeature(caller.account),
    your_address: request.ip,
  };
}

const shownOrganization = wireOf(
  organizationSchema,
  'role',
  'role_map',
  'plan',
  'ip_allow_list_available',
  'your_address',
);
