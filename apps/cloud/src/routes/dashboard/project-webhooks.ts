import {
  type AddWebhook,
  addWebhookSchema,
  type ChangeProjectWebhook,
  changeProjectWebhookSchema,
  idSchema,
  newWebhookSecretSchema,
  projectWebhookSchema,
  type ReplayDeliveries,
  replayDeliveriesSchema,
  replayedDeliveriesSchema,
  webhookDeliverySchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { redactUrl } from '../../access/redact-url.ts';
import {
  addWebhook,
  changeProjectWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../../flows/endpoints/project-webhooks.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { replayDeliveries } from '../../webhooks/outbound/endpoint-acts.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { DEFAULT_GRACE_MINUTES, rotateSchema, type WebhookDependencies } from './webhooks.ts';

interface OfProject {
  readonly Params: { readonly project_id: string };
}
interface OfWebhook {
  readonly Params: { readonly project_id: string; readonly webhook_id: string };
}

const ofProject = Type.Object({ project_id: idSchema });
const ofWebhook = Type.Object({ project_id: idSchema, webhook_id: idSchema });
const PATH = '/projects/:project_id/webhooks';

/** Webhooks of a project; the one at `/webhook` is the first of them. */
export function registerProjectWebhooks(app: FastifyInstance, deps: WebhookDependencies): void {
  registerWebhookActs(app, deps);
  app.get<OfProject>(
    PATH,
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listProjectWebhooks',
        area: 'Webhooks',
        summary: 'List the webhooks of a project',
        params: ofProject,
        response: Type.Array(projectWebhookSchema),
        codes: ['not_found'],
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const webhooks = await listWebhooks(deps, member, request.params.project_id);
      return webhooks.map((one) => ({ ...one, webhook_url: redactUrl(one.webhook_url, member.role) }));
    },
  );

  app.post<OfProject & { Body: AddWebhook }>(
    PATH,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'addProjectWebhook',
        area: 'Webhooks',
        summary: 'Add a webhook to a project',
        description: 'Each webhook receives the events in its `events`. On Enterprise it has its own secret.',
        params: ofProject,
        body: addWebhookSchema,
        response: projectWebhookSchema,
        codes: ['not_found', 'plan_limit_reached'],
      }),
    },
    (request) => addWebhook(deps, memberOf(request), request.params.project_id, request.body),
  );

  app.patch<OfWebhook & { Body: ChangeProjectWebhook }>(
    `${PATH}/:webhook_id`,
    {
      config: { ...needsRole('admin'), preservedNulls: ['events'] },
      schema: dashboardRoute({
        id: 'changeProjectWebhook',
        area: 'Webhooks',
        summary: 'Change a webhook of a project',
        params: ofWebhook,
        body: changeProjectWebhookSchema,
        response: projectWebhookSchema,
        codes: ['not_found'],
      }),
    },
    (request) => {
      const { project_id: projectId, webhook_id: webhookId } = request.params;
      return changeProjectWebhook(deps, memberOf(request), projectId, webhookId, request.body);
    },
  );

  app.delete<OfWebhook>(
    `${PATH}/:webhook_id`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'removeProjectWebhook',
        area: 'Webhooks',
        summary: 'Remove a webhook of a project',
        params: ofWebhook,
        response: null,
        status: 204,
        codes: ['not_found'],
      }),
    },
    async (request, reply) => {
      const { project_id: projectId, webhook_id: webhookId } = request.params;
      await removeWebhook(deps, memberOf(request), projectId, webhookId);
      return reply.code(204).send();
    },
  );
}

function registerWebhookActs(app: FastifyInstance, deps: WebhookDependencies): void {
  app.post<OfWebhook>(
    `${PATH}/:webhook_id/test`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'testProjectWebhook',
        area: 'Webhooks',
        summary: 'Send a test event to a webhook of a project',
        description: 'Makes one attempt, even while the webhook is disabled, with `X-Service-Test: true`.',
        params: ofWebhook,
        response: webhookDeliverySchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    (request) => {
      const { project_id: projectId, webhook_id: webhookId } = request.params;
      return testWebhook(deps, memberOf(request), projectId, webhookId);
    },
  );

  app.post<OfWebhook & { Body: { grace_minutes?: number } }>(
    `${PATH}/:webhook_id/secret`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'rotateProjectWebhookSecret',
        area: 'Webhooks',
        summary: 'Create or rotate the signing secret of a webhook',
        params: ofWebhook,
        body: rotateSchema,
        response: newWebhookSecretSchema,
        codes: ['not_found', 'feature_not_available'],
      }),
    },
    (request) => {
      const { project_id: projectId, webhook_id: webhookId } = request.params;
      const minutes = request.body.grace_minutes ?? DEFAULT_GRACE_MINUTES;
      return rotateWebhookSecret(deps, memberOf(request), projectId, webhookId, minutes);
    },
  );

  app.post<OfWebhook & { Body: ReplayDeliveries }>(
    `${PATH}/:webhook_id/replay`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'replayWebhookDeliveries',
        area: 'Webhooks',
        summary: 'Replay the deliveries of a period',
        description: 'Oldest first, each with its own `X-Service-Delivery`; test events are left out.',
        params: ofWebhook,
        body: replayDeliveriesSchema,
        response: replayedDeliveriesSchema,
        codes: ['not_found'],
      }),
    },
    async (request) => {
      const { project_id: projectId, webhook_id: webhookId } = request.params;
      const member = memberOf(request);
      const webhook = await findWebhook(deps.storage, member, projectId, webhookId);
      return await replayDeliveries(deps, member, webhook, request.body);
    },
  );
}
