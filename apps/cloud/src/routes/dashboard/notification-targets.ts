import {
  type CreateNotificationTarget,
  createNotificationTargetSchema,
  idSchema,
  type NotificationTargetRecord,
  notificationTargetSchema,
  notificationTestSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { redactUrl } from '../../access/redact-url.ts';
import {
  createTarget,
  removeTarget,
  type TargetDeps,
  testTarget,
} from '../../flows/notifications/change-targets.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { EndpointOf, Role } from '../../storage/storage.ts';
import { isoTime, isoTimeOrNull } from '../../wire/iso-time.ts';
import { dashboardRoute } from './dashboard-route.ts';

interface OfTarget {
  readonly Params: { readonly target_id: string };
}
const ofTarget = Type.Object({ target_id: idSchema });
const PATH = '/notification-targets';

/** Registers the targets of notifications: requests, devices, webhooks, bursts of blocks, quota, audit log. */
export function registerNotificationTargets(app: FastifyInstance, deps: TargetDeps): void {
  app.get(
    PATH,
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listNotificationTargets',
        area: 'Organization',
        summary: 'List notification targets',
        response: Type.Array(notificationTargetSchema),
      }),
    },
    async (request) => {
      const { organizationId, role } = memberOf(request);
      const targets = await deps.storage.endpoints.list(organizationId, { kind: 'notification' });
      return targets.map((target) => targetRecord(target, role));
    },
  );

  app.post<{ Body: CreateNotificationTarget }>(
    PATH,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'createNotificationTarget',
        area: 'Organization',
        summary: 'Create a notification target',
        description: 'Events are sent within a minute, unless a digest or quiet hours are set.',
        body: createNotificationTargetSchema,
        response: notificationTargetSchema,
        codes: ['plan_limit_reached'],
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const { endpoint, shownOnce } = await createTarget(deps, member, request.body);
      return { ...targetRecord(endpoint, member.role), ...shownOnce };
    },
  );

  app.delete<OfTarget>(
    `${PATH}/:target_id`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'removeNotificationTarget',
        area: 'Organization',
        summary: 'Remove a notification target',
        params: ofTarget,
        response: null,
        status: 204,
        codes: ['not_found'],
      }),
    },
    async (request, reply) => {
      await removeTarget(deps, memberOf(request), request.params.target_id);
      return reply.code(204).send();
    },
  );

  app.post<OfTarget>(
    `${PATH}/:target_id/test`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'testNotificationTarget',
        area: 'Organization',
        summary: 'Send a test message',
        description:
          'Sent immediately. For an email target, `delivered` means that the message is in the outbox.',
        params: ofTarget,
        response: notificationTestSchema,
        codes: ['not_found'],
      }),
    },
    (request) => testTarget(deps, memberOf(request), request.params.target_id),
  );
}

function targetRecord(target: EndpointOf<'notification'>, role: Role): NotificationTargetRecord {
  const { id, form: kind, url, events, digest, quietHours, lastError, createdAtMs } = target;
  return {
    id,
    kind,
    address: (kind === 'mail' ? url : redactUrl(url, role)) ?? '',
    events: events === null ? null : ([...events] as NonNullable<NotificationTargetRecord['events']>),
    digest,
    quiet_hours: quietHours,
    signed: target.secretAtMs !== null,
    last_error: lastError,
    last_sent_at: isoTimeOrNull(target.lastSuccessAtMs),
    created_at: isoTime(createdAtMs),
  };
}
