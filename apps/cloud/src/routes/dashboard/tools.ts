import { idSchema, type ToolLists, toolListsSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { changeToolLists, readToolLists } from '../../flows/agent/change-tool-lists.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { dashboardRoute } from './dashboard-route.ts';

const projectParams = Type.Object({ project_id: idSchema });

/** Registers the tools that agents may call. */
export function registerTools(app: FastifyInstance, deps: { readonly storage: Storage }): void {
  app.get<{ Params: { project_id: string } }>(
    '/projects/:project_id/tools',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getToolLists',
        area: 'Agent tools',
        summary: 'Get the tool lists of a project',
        params: projectParams,
        response: toolListsSchema,
        codes: ['not_found'],
      }),
    },
    (request) => readToolLists(deps, memberOf(request).organizationId, request.params.project_id),
  );

  app.put<{ Params: { project_id: string }; Body: ToolLists }>(
    '/projects/:project_id/tools',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'replaceToolLists',
        area: 'Agent tools',
        summary: 'Replace the tool lists of a project',
        params: projectParams,
        body: toolListsSchema,
        response: toolListsSchema,
        codes: ['not_found'],
      }),
    },
    (request) => changeToolLists(deps, memberOf(request), request.params.project_id, request.body),
  );
}
