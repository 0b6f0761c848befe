import {
  type ChangeWebhook,
  changeWebhookSchema,
  idSchema,
  newWebhookSecretSchema,
  shape,
  webhookDeliveryDetailSchema,
  webhookDeliveryListSchema,
  webhookDeliverySchema,
  webhookSettingsSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { redactUrl } from '../../access/redact-url.ts';
import { hasRole } from '../../access/require-role.ts';
import type { Clock } from '../../flows/clock.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  changeWebhook,
  readWebhook,
  removeWebhookSecret,
  rotateWebhookSecret,
  type WebhookDeps,
} from '../../webhooks/outbound/change-webhook.ts';
import {
  type DeliveryQuery,
  listDeliveries,
  readDelivery,
  retryDelivery,
  testWebhook,
} from '../../webhooks/outbound/deliveries.ts';
import type { WebhookDispatcherDeps } from '../../webhooks/outbound/webhook-dispatcher.ts';
import { dashboardRoute } from './dashboard-route.ts';

export interface WebhookDependencies
  extends WebhookDeps,
    Omit<WebhookDispatcherDeps, 'storage' | 'clock' | 'observeDelivery'> {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newEventId: (nowMs: number) => string;
}

interface OfProject {
  readonly Params: { readonly project_id: string };
}
interface OfDelivery {
  readonly Params: { readonly delivery_id: string };
}

const ofProject = Type.Object({ project_id: idSchema });
const ofDelivery = Type.Object({ delivery_id: idSchema });
const deliveryQuery = Type.Object({
  project_id: Type.Optional(Type.String()),
  status: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
  event: Type.Optional(Type.String({ maxLength: 64 })),
  // Query values are strings: nothing is coerced.
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9]\\d?|1\\d\\d)$', description: '1 to 199; default 50.' }),
  ),
  before: Type.Optional(Type.String({ description: 'Id of the last delivery on the previous page.' })),
});
export const DEFAULT_GRACE_MINUTES = 1_440;
export const rotateSchema = shape('RotateWebhookSecretRequest', {
  grace_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_080,
      default: DEFAULT_GRACE_MINUTES,
      description: 'Minutes the previous secret stays valid.',
    }),
  ),
});

const WEBHOOK_PATH = '/projects/:project_id/webhook';

/** Registers a project's webhook, its secret, and its deliveries. */
export function registerWebhooks(app: FastifyInstance, deps: WebhookDependencies): void {
  registerSettings(app, deps);
  registerSecret(app, deps);
  registerTest(app, deps);
  registerDeliveries(app, deps);
}

function registerSettings(app: FastifyInstance, deps: WebhookDependencies): void {
  app.get<OfProject>(
    WEBHOOK_PATH,
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getWebhook',
        area: 'Webhooks',
        summary: 'Get the webhook of a project',
        params: ofProject,
        response: webhookSettingsSchema,
        codes: ['not_found'],
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const settings = await readWebhook(deps, member, request.params.project_id);
      return { ...settings, webhook_url: redactUrl(settings.webhook_url, member.role) };
    },
  );

  app.patch<OfProject & { Body: ChangeWebhook }>(
    WEBHOOK_PATH,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'updateWebhook',
        area: 'Webhooks',
        summary: 'Update the webhook of a project',
        description: 'http is accepted with a warning; private addresses are rejected.',
        params: ofProject,
        body: changeWebhookSchema,
        response: webhookSettingsSchema,
        codes: ['not_found'],
      }),
    },
    (request) => changeWebhook(deps, memberOf(request), request.params.project_id, request.body),
  );
}

function registerSecret(app: FastifyInstance, deps: WebhookDependencies): void {
  app.post<OfProject & { Body: { grace_minutes?: number } }>(
    `${WEBHOOK_PATH}/secret`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'rotateWebhookSecret',
        area: 'Webhooks',
        summary: 'Create or rotate the signing secret',
        description:
          'Bodies are signed with the new secret in `X-Service-Signature` and, while the previous secret is valid, with that one in `X-Service-Signature-Previous`.',
        params: ofProject,
        body: rotateSchema,
        response: newWebhookSecretSchema,
        codes: ['not_found', 'feature_not_available'],
      }),
    },
    (request) =>
      rotateWebhookSecret(
        deps,
        memberOf(request),
        request.params.project_id,
        request.body.grace_minutes ?? DEFAULT_GRACE_MINUTES,
      ),
  );

  app.delete<OfProject>(
    `${WEBHOOK_PATH}/secret`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'deleteWebhookSecret',
        area: 'Webhooks',
        summary: 'Disable signing',
        params: ofProject,
        response: webhookSettingsSchema,
        codes: ['not_found'],
      }),
    },
    (request) => removeWebhookSecret(deps, memberOf(request), request.params.project_id),
  );
}

function registerTest(app: FastifyInstance, deps: WebhookDependencies): void {
  app.post<OfProject>(
    `${WEBHOOK_PATH}/test`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'testWebhook',
        area: 'Webhooks',
        summary: 'Send a test event',
        description:
          'Makes one attempt, even while the webhook is disabled, with the header `X-Service-Test: true`.',
        params: ofProject,
        response: webhookDeliverySchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    (request) => testWebhook(deps, memberOf(request), request.params.project_id),
  );
}

function registerDeliveries(app: FastifyInstance, deps: WebhookDependencies): void {
  app.get<{ Querystring: Omit<DeliveryQuery, 'limit'> & { limit?: string } }>(
    '/webhook-deliveries',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listWebhookDeliveries',
        area: 'Webhooks',
        summary: 'List webhook deliveries',
        query: deliveryQuery,
        response: webhookDeliveryListSchema,
      }),
    },
    (request) => {
      const { limit, ...query } = request.query;
      const size = limit === undefined ? {} : { limit: Number(limit) };
      return listDeliveries(deps, memberOf(request).organizationId, { ...query, ...size });
    },
  );
  app.get<OfDelivery>(
    '/webhook-deliveries/:delivery_id',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getWebhookDelivery',
        area: 'Webhooks',
        summary: 'Get a webhook delivery with its body',
        params: ofDelivery,
        response: webhookDeliveryDetailSchema,
        codes: ['not_found'],
      }),
    },
    (request) => {
      const { organizationId, role } = memberOf(request);
      return readDelivery(deps, organizationId, request.params.delivery_id, hasRole(role, 'admin'));
    },
  );
  app.post<OfDelivery>(
    '/webhook-deliveries/:delivery_id/retry',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'retryWebhookDelivery',
        area: 'Webhooks',
        summary: 'Retry a failed delivery',
        params: ofDelivery,
        response: webhookDeliverySchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    (request) => retryDelivery(deps, memberOf(request), request.params.delivery_id),
  );
}
