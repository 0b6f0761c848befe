import { type ChangeRetention, changeRetentionSchema, idSchema, retentionSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { findProject } from '../../access/find-project.ts';
import { changeRetention, retentionRecord } from '../../flows/retention/change-retention.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { dashboardRoute } from './dashboard-route.ts';

export interface RetentionRouteDeps {
  readonly storage: Pick<Storage, 'projects' | 'transaction'>;
  readonly forgetKeys: () => void;
}

interface OfProject {
  readonly Params: { readonly project_id: string };
}
const params = Type.Object({ project_id: idSchema });

export function registerRetention(app: FastifyInstance, deps: RetentionRouteDeps): void {
  app.get<OfProject>(
    '/projects/:project_id/retention',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getRetention',
        area: 'Projects',
        summary: 'Get the event retention of a project',
        params,
        response: retentionSchema,
        codes: ['not_found'],
      }),
    },
    async (request) =>
      retentionRecord(await findProject(deps.storage, memberOf(request), request.params.project_id)),
  );
  app.patch<OfProject & { Body: ChangeRetention }>(
    '/projects/:project_id/retention',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'updateRetention',
        area: 'Projects',
        summary: 'Update the event retention of a project',
        params,
        body: changeRetentionSchema,
        response: retentionSchema,
        codes: ['not_found'],
      }),
    },
    (request) => changeRetention(deps, memberOf(request), request.params.project_id, request.body),
  );
}
