import { alertSchema, type CreateAlert, createAlertSchema, idSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { addAlert, removeAlert } from '../../flows/notifications/alerts.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const params = Type.Object({ alert_id: idSchema });

/** Filters of events with a threshold, of which an endpoint is notified. */
export function registerAlerts(
  app: FastifyInstance,
  deps: { readonly storage: Pick<Storage, 'eventAlerts' | 'transaction'> },
): void {
  app.get(
    '/alerts',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listAlerts',
        area: 'Events',
        summary: 'List alerts',
        response: Type.Array(alertSchema),
      }),
    },
    async (request) =>
      (await deps.storage.eventAlerts.list(memberOf(request).organizationId)).map(alertRecord),
  );

  app.post<{ Body: CreateAlert }>(
    '/alerts',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'createAlert',
        area: 'Events',
        summary: 'Add an alert',
        description:
          'The endpoint is notified when `threshold` events match the filter within the last `window_minutes`, at most once in that time. Windows of up to an hour are checked every minute, longer ones sixty times in their length.',
        body: createAlertSchema,
        response: alertSchema,
        codes: ['plan_limit_reached'],
      }),
    },
    async (request) => alertRecord(await addAlert(deps, memberOf(request), request.body)),
  );

  app.delete<{ Params: { alert_id: string } }>(
    '/alerts/:alert_id',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'deleteAlert',
        area: 'Events',
        summary: 'Delete an alert',
        params,
        response: null,
        status: 204,
        codes: ['not_found'],
      }),
    },
    async (request, reply) => {
      await removeAlert(deps, memberOf(request), request.params.alert_id);
      return reply.code(204).send();
    },
  );
}

const alertRecord = wireOf(alertSchema);
