import { idSchema, projectRoleSchema, type SetProjectRole, setProjectRoleSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { listProjectRoles, removeProjectRole, setProjectRole } from '../../flows/accounts/project-roles.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf, requireTokenRole } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { dashboardRoute } from './dashboard-route.ts';

const ofMember = Type.Object({ project_id: idSchema, user_id: idSchema });
interface OfMember {
  readonly project_id: string;
  readonly user_id: string;
}
const PATH = '/projects/:project_id/roles';

/** Roles of members in one project, in addition to the one in the organization. */
export function registerProjectRoles(app: FastifyInstance, deps: { readonly storage: Storage }): void {
  app.get<{ Params: { project_id: string } }>(
    PATH,
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listProjectRoles',
        area: 'Projects',
        summary: 'List the roles that members have in a project',
        description: 'Owners and admins of the organization are admins of every project, and not listed.',
        params: Type.Object({ project_id: idSchema }),
        response: Type.Array(projectRoleSchema),
        codes: ['not_found'],
      }),
    },
    (request) => listProjectRoles(deps, memberOf(request).organizationId, request.params.project_id),
  );

  app.put<{ Params: OfMember; Body: SetProjectRole }>(
    `${PATH}/:user_id`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'setProjectRole',
        area: 'Projects',
        summary: 'Give a member a role in a project',
        description:
          'Applies from the next request. In the project, the role with more rights applies: this one or the role in the organization.',
        params: ofMember,
        body: setProjectRoleSchema,
        response: null,
        status: 204,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request, reply) => {
      const { project_id: projectId, user_id: userId } = request.params;
      requireTokenRole(request, request.body.role);
      await setProjectRole(deps, memberOf(request), projectId, userId, request.body.role);
      return reply.code(204).send();
    },
  );

  app.delete<{ Params: OfMember }>(
    `${PATH}/:user_id`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'removeProjectRole',
        area: 'Projects',
        summary: 'Remove the role of a member in a project',
        params: ofMember,
        response: null,
        status: 204,
        codes: ['not_found'],
      }),
    },
    async (request, reply) => {
      const { project_id: projectId, user_id: userId } = request.params;
      await removeProjectRole(deps, memberOf(request), projectId, userId);
      return reply.code(204).send();
    },
  );
}
