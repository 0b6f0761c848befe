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
import {
  changeWebhook,
  readWebhook,
  removeWebhookSecret,
  rotateWebhookSecret,
  testWebhook,
  type WebhookDeps,
} from '../../flows/endpoints/project-webhooks.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  type DeliveryQuery,
  listDeliveries,
  readDelivery,
  retryDelivery,
} from '../../webhooks/outbound/deliveries.ts';
import type { TestDeps } from '../../webhooks/outbound/endpoint-acts.ts';
import { dashboardRoute } from './dashboard-route.ts';

export interface WebhookDependencies
  extends WebhookDeps,
    Omit<TestDeps, 'storage' | 'clock' | 'observeDelivery'> {
  readonly storage: Storage;
  readonly clock: Clock;
}

interface OfProject {
  readonly Params: { readonly project_id: string };
}
interface OfDelivery {
  readonly Params: { readonly delivery_id: string };
}

const ofProject = Type.Object({ project_id: idSchema });
const ofDelivery = Type.Object({ delivery_id: idSchema });
export const deliveryQuery = Type.Object({
  status: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
  event: Type.Optional(Type.String({ maxLength: 64 })),
  // Query values are strings: nothing is coerced.
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9]\\d?|1\\d\\d)$', description: '1 to 199; default 50.' }),
  ),
  before: Type.Optional(Type.String({ description: 'Id of the last delivery on the previous page.' })),
});
export type DeliveriesQuery = Pick<DeliveryQuery, 'status' | 'event' | 'before'> & {
  readonly limit?: string;
};
export const deliveriesOfQuery = <Q extends DeliveriesQuery>({ limit, ...query }: Q) => ({
  ...query,
  ...(limit !== undefined && { limit: Number(limit) }),
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
        null,
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
    (request) => testWebhook(deps, memberOf(request), request.params.project_id, null),
  );
}

function registerDeliveries(app: FastifyInstance, deps: WebhookDependencies): void {
  app.get<{ Querystring: DeliveriesQuery & { project_id?: string } }>(
    '/webhook-deliveries',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listWebhookDeliveries',
        area: 'Webhooks',
        summary: 'List webhook deliveries',
        query: Type.Object({ project_id: Type.Optional(Type.String()), ...deliveryQuery.properties }),
        response: webhookDeliveryListSchema,
      }),
    },
    (request) => listDeliveries(deps, memberOf(request).organizationId, deliveriesOfQuery(request.query)),
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
