import {
  type ChangePolicyWebhook,
  changePolicyWebhookSchema,
  idSchema,
  policyWebhookSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { redactUrl } from '../../access/redact-url.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import {
  changePolicyWebhook,
  type PolicyWebhookDeps,
  readPolicyWebhook,
} from '../../webhooks/policy-endpoint/change-policy-webhook.ts';
import { dashboardRoute } from './dashboard-route.ts';

interface OfProject {
  readonly Params: { readonly project_id: string };
}

/** Registers the customer's endpoint that takes part in a project's decisions. */
export function registerPolicyWebhook(app: FastifyInstance, deps: PolicyWebhookDeps): void {
  const at = '/projects/:project_id/policy-webhook';
  const params = Type.Object({ project_id: idSchema });
  app.get<OfProject>(
    at,
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getPolicyWebhook',
        area: 'Webhooks',
        summary: 'Get the policy webhook of a project',
        params,
        response: policyWebhookSchema,
        codes: ['not_found'],
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const settings = await readPolicyWebhook(deps, member, request.params.project_id);
      return { ...settings, url: redactUrl(settings.url, member.role) };
    },
  );
  app.patch<OfProject & { Body: ChangePolicyWebhook }>(
    at,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'updatePolicyWebhook',
        area: 'Webhooks',
        summary: 'Update the policy webhook of a project',
        description:
          'The webhook is called in each scan. Of its verdict and that of the engine, the stricter one applies.',
        params,
        body: changePolicyWebhookSchema,
        response: policyWebhookSchema,
        codes: ['not_found'],
      }),
    },
    (request) => changePolicyWebhook(deps, memberOf(request), request.params.project_id, request.body),
  );
}
