import { heldCallsSchema, idSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { findProject } from '../../access/find-project.ts';
import { countHeldCalls, type HeldCallsDeps } from '../../flows/insight/count-held-calls.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { dashboardRoute } from './dashboard-route.ts';

export interface HeldCallsRouteDeps extends HeldCallsDeps {
  readonly storage: HeldCallsDeps['storage'] & Pick<Storage, 'projects'>;
}

const params = Type.Object({ project_id: idSchema });
const query = Type.Object({
  days: Type.Optional(Type.String({ pattern: '^([1-9]|[12]\\d|30)$', description: '1 to 30; default 7.' })),
});

export function registerHeldCalls(app: FastifyInstance, deps: HeldCallsRouteDeps): void {
  app.get<{ Params: Static<typeof params>; Querystring: Static<typeof query> }>(
    '/projects/:project_id/held-calls',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'countHeldCalls',
        area: 'Projects',
        summary: 'Count the tool calls that flow control found',
        description:
          'Lists by tool the calls of the last days that `flow_control` held, or would have held with `review` or `block`.',
        params,
        query,
        response: heldCallsSchema,
        codes: ['not_found'],
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const { id } = await findProject(deps.storage, member, request.params.project_id);
      return countHeldCalls(deps, member.organizationId, id, Number(request.query.days ?? 7));
    },
  );
}
