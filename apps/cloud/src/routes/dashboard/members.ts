import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ChangeRoleRequest,
  changeRoleRequestSchema,
  idSchema,
  type MemberRecord,
  memberSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { listRoleGroups } from '../../flows/accounts/group-roles.ts';
import { changeRole, removeMember } from '../../flows/accounts/members.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf, requireTokenRole } from '../../plugins/session.ts';
import type { Member, ProjectRole, Storage } from '../../storage/storage.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const params = Type.Object({ user_id: idSchema });
type Params = { user_id: string };

export function registerMembers(
  app: FastifyInstance,
  deps: { readonly storage: Storage; readonly forgetKeys: () => void },
): void {
  app.get(
    '/members',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listMembers',
        area: 'Members',
        summary: 'List members',
        response: Type.Array(memberSchema),
      }),
    },
    async (request) => {
      const { organizationId } = memberOf(request);
      // Each part has a turn of the event loop of its own: an organization may have thousands of members.
      const members = await deps.storage.members.list(organizationId);
      await nextTurn();
      const roles = await deps.storage.members.listProjectRoles(organizationId);
      await nextTurn();
      const userIds = members.map(({ userId }) => userId);
      const groups = await listRoleGroups(deps.storage, organizationId, userIds);
      await nextTurn();
      const byPerson = Map.groupBy(roles, ({ userId }) => userId);
      return members.map((member) =>
        memberRecord(member, byPerson.get(member.userId), groups.get(member.userId)),
      );
    },
  );

  app.patch<{ Params: Params; Body: ChangeRoleRequest }>(
    '/members/:user_id',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'changeMemberRole',
        area: 'Members',
        summary: 'Change the role of a member',
        params,
        body: changeRoleRequestSchema,
        response: memberSchema,
        codes: ['not_found', 'owner_protected', 'invalid_state'],
      }),
    },
    async (request) => {
      requireTokenRole(request, request.body.role);
      const admin = memberOf(request);
      const { user_id: userId } = request.params;
      const member = await changeRole(deps, admin, userId, request.body.role);
      const groups = await listRoleGroups(deps.storage, admin.organizationId, [userId]);
      return memberRecord(
        member,
        await deps.storage.members.listProjectRoles(admin.organizationId, { userId }),
        groups.get(userId),
      );
    },
  );

  app.delete<{ Params: Params }>(
    '/members/:user_id',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'removeMember',
        area: 'Members',
        summary: 'Remove a member',
        description:
          'Revokes the keys they created here and the devices assigned to them. Bulk enrollments, and organizations they own, are kept.',
        params,
        response: null,
        status: 204,
        codes: ['not_found', 'owner_protected'],
      }),
    },
    async (request, reply) => {
      await removeMember(deps, memberOf(request), request.params.user_id);
      return reply.code(204).send();
    },
  );

  app.post(
    '/organization/leave',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'leaveOrganization',
        area: 'Organization',
        summary: 'Leave the organization',
        description:
          'Revokes the same keys and devices as removing a member. The owner must transfer the organization first.',
        response: null,
        status: 204,
        codes: ['owner_protected'],
      }),
    },
    async (request, reply) => {
      const caller = memberOf(request);
      await removeMember(deps, caller, caller.userId);
      return reply.code(204).send();
    },
  );
}

const ownRecord = wireOf(memberSchema, 'project_roles', 'role_source', 'role_groups');

function memberRecord(
  member: Member,
  roles: readonly ProjectRole[] = [],
  groups: readonly string[] = [],
): MemberRecord {
  const { groupRole, claimRole } = member;
  const source = groupRole !== null ? 'groups' : claimRole !== null ? 'claim' : 'assigned';
  return {
    ...ownRecord(member),
    role_source: source,
    project_roles: strongestRoles(roles),
    role_groups: [...groups],
  };
}

/** A role in a project can come from several sources: the stronger one applies. */
export function strongestRoles(roles: readonly ProjectRole[]): MemberRecord['project_roles'] {
  const byProject = Map.groupBy(roles, ({ projectId }) => projectId).values();
  return [...byProject].map((same) => givenRole(same.find(({ role }) => role === 'admin') ?? same[0]!));
}

function givenRole({ projectId, role }: ProjectRole): MemberRecord['project_roles'][number] {
  return { project_id: projectId, role };
}
