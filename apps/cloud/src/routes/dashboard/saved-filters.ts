import {
  CodedError,
  idSchema,
  type SaveFilter,
  savedFilterSchema,
  saveFilterSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { saveFilter } from '../../flows/insight/save-filter.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const params = Type.Object({ filter_id: idSchema });

/** Named event filters, each visible only to the person who saved it. */
export function registerSavedFilters(
  app: FastifyInstance,
  { storage }: { readonly storage: Pick<Storage, 'savedFilters' | 'transaction'> },
): void {
  const config = needsRole('viewer');
  app.get(
    '/saved-filters',
    {
      config,
      schema: dashboardRoute({
        id: 'listSavedFilters',
        area: 'Events',
        summary: 'List your saved filters',
        response: Type.Array(savedFilterSchema),
      }),
    },
    async (request) => {
      const { organizationId, userId } = memberOf(request);
      return (await storage.savedFilters.list(organizationId, userId)).map(filterRecord);
    },
  );

  app.post<{ Body: SaveFilter }>(
    '/saved-filters',
    {
      config,
      schema: dashboardRoute({
        id: 'saveFilter',
        area: 'Events',
        summary: 'Save a filter',
        body: saveFilterSchema,
        response: savedFilterSchema,
        codes: ['plan_limit_reached'],
      }),
    },
    async (request) => filterRecord(await saveFilter({ storage }, memberOf(request), request.body)),
  );

  app.delete<{ Params: { filter_id: string } }>(
    '/saved-filters/:filter_id',
    {
      config,
      schema: dashboardRoute({
        id: 'deleteSavedFilter',
        area: 'Events',
        summary: 'Delete a saved filter',
        params,
        response: null,
        status: 204,
        codes: ['not_found'],
      }),
    },
    async (request, reply) => {
      const { organizationId, userId } = memberOf(request);
      if (!(await storage.savedFilters.remove(organizationId, userId, request.params.filter_id))) {
        throw new CodedError('not_found', { message: 'No such saved filter.' });
      }
      return reply.code(204).send();
    },
  );
}

const filterRecord = wireOf(savedFilterSchema);
