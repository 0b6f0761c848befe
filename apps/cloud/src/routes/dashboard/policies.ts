import {
  type ChangePolicy,
  type CreatePolicy,
  changePolicySchema,
  createPolicySchema,
  idSchema,
  type PreviewPolicy,
  policyDetailListSchema,
  policyPreviewSchema,
  policyVersionListSchema,
  previewPolicySchema,
  reorderPoliciesSchema,
  restorePolicySchema,
  savedPolicySchema,
  type TryPolicy,
  thresholdProposalSchema,
  triedPolicySchema,
  tryPolicySchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  changePolicy,
  createPolicy,
  deletePolicy,
  type PolicyDeps,
  reorderPolicies,
  restorePolicy,
} from '../../flows/policies/change-policies.ts';
import { policyDetail } from '../../flows/policies/policy-records.ts';
import { previewPolicy } from '../../flows/policies/preview-policy.ts';
import { proposeThresholds } from '../../flows/policies/propose-thresholds.ts';
import { type PolicyVersionDeps, readPolicyVersions } from '../../flows/policies/read-versions.ts';
import { tryRules } from '../../flows/policies/try-rules.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { dashboardRoute, type UniqueNameQuery, uniqueNameQuery } from './dashboard-route.ts';

export type PolicyRouteDeps = PolicyDeps & PolicyVersionDeps;

interface OfPolicy {
  readonly Params: { readonly policy_id: string };
}
const ofPolicy = Type.Object({ policy_id: idSchema });

/** Registers the policies of an organization and of its projects. */
export function registerPolicies(app: FastifyInstance, deps: PolicyRouteDeps): void {
  registerPolicyList(app, deps);
  registerPolicyChanges(app, deps);
  registerPolicyVersions(app, deps);
  registerTrials(app, deps);
}

function registerPolicyList(app: FastifyInstance, deps: PolicyRouteDeps): void {
  app.get(
    '/policies',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listPolicies',
        area: 'Policies',
        summary: 'List policies',
        description:
          'Policies of every project, active or not, highest priority first. Rules of presets are marked `from_preset`.',
        response: policyDetailListSchema,
      }),
    },
    async (request) => {
      const policies = await deps.storage.policies.list(memberOf(request).organizationId);
      return { policies: policies.map(policyDetail) };
    },
  );

  app.post<{ Body: CreatePolicy; Querystring: UniqueNameQuery }>(
    '/policies',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'createPolicy',
        area: 'Policies',
        summary: 'Create a policy',
        description:
          'The new policy has the highest priority. `warnings` describe its effect on the last day.',
        query: uniqueNameQuery,
        body: createPolicySchema,
        response: savedPolicySchema,
        codes: ['plan_limit_reached', 'invalid_state'],
      }),
    },
    (request) =>
      createPolicy(deps, memberOf(request), request.body, {
        uniqueName: request.query.unique_name === 'true',
      }),
  );
}

function registerPolicyChanges(app: FastifyInstance, deps: PolicyRouteDeps): void {
  app.patch<OfPolicy & { Body: ChangePolicy }>(
    '/policies/:policy_id',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'updatePolicy',
        area: 'Policies',
        summary: 'Update a policy',
        description: 'Changes only the given fields. The policy applies everywhere within a second.',
        params: ofPolicy,
        body: changePolicySchema,
        response: savedPolicySchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    (request) => changePolicy(deps, memberOf(request), request.params.policy_id, request.body),
  );

  app.delete<OfPolicy>(
    '/policies/:policy_id',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'deletePolicy',
        area: 'Policies',
        summary: 'Delete a policy',
        params: ofPolicy,
        response: null,
        status: 204,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request, reply) => {
      await deletePolicy(deps, memberOf(request), request.params.policy_id);
      return reply.code(204).send();
    },
  );

  app.post<{ Body: { policy_ids: string[] } }>(
    '/policies/reorder',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'reorderPolicies',
        area: 'Policies',
        summary: 'Reorder policies',
        body: reorderPoliciesSchema,
        response: policyDetailListSchema,
        codes: ['invalid_state'],
      }),
    },
    async (request) => ({
      policies: await reorderPolicies(deps, memberOf(request), request.body.policy_ids),
    }),
  );
}

function registerPolicyVersions(app: FastifyInstance, deps: PolicyRouteDeps): void {
  app.get<OfPolicy>(
    '/policies/:policy_id/versions',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listPolicyVersions',
        area: 'Policies',
        summary: 'List the versions of a policy',
        description: 'Includes the changes of each version. The order of policies is not part of a version.',
        params: ofPolicy,
        response: policyVersionListSchema,
        codes: ['not_found'],
      }),
    },
    (request) => readPolicyVersions(deps, memberOf(request).organizationId, request.params.policy_id),
  );
  app.post<OfPolicy & { Body: { version: number } }>(
    '/policies/:policy_id/restore',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'restorePolicy',
        area: 'Policies',
        summary: 'Restore a version of a policy',
        description: 'The restored version becomes a new version and applies everywhere within a second.',
        params: ofPolicy,
        body: restorePolicySchema,
        response: savedPolicySchema,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    (request) => restorePolicy(deps, memberOf(request), request.params.policy_id, request.body.version),
  );
}

const budgetQuery = Type.Object({
  budget: Type.Optional(
    Type.String({
      pattern: '^(0|0?\\.\\d{1,6}|1)$',
      description: 'Share of the prompts, 0 to 1. Default: 0.005.',
    }),
  ),
  hours: Type.Optional(Type.String({ pattern: '^\\d{1,3}$', description: '1 to 168. Default: 168.' })),
  project_id: Type.Optional(Type.String({ maxLength: 64 })),
});
interface BudgetQuery {
  readonly budget?: string;
  readonly hours?: string;
  readonly project_id?: string;
}

function registerTrials(app: FastifyInstance, deps: PolicyRouteDeps): void {
  app.get<{ Querystring: BudgetQuery }>(
    '/policies/thresholds',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'proposeThresholds',
        area: 'Policies',
        summary: 'Propose thresholds that keep a false positive budget',
        description:
          'Calculated for the texts of each role from the confidences of past findings; no text is stored. Changes nothing: to apply a threshold, use a policy with `below_confidence`.',
        query: budgetQuery,
        response: thresholdProposalSchema,
      }),
    },
    (request) => {
      const { budget = '0.005', hours = '168', project_id: projectId } = request.query;
      return proposeThresholds(deps, memberOf(request).organizationId, {
        budget: Number(budget),
        hours: Math.min(168, Math.max(1, Number(hours))),
        ...(projectId === undefined ? {} : { projectId }),
      });
    },
  );
  app.post<{ Body: PreviewPolicy }>(
    '/policies/preview',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'previewPolicy',
        area: 'Policies',
        summary: 'Preview the impact of a policy',
        description:
          'Based on the types, positions and confidences found in past requests. Their texts are not stored.',
        body: previewPolicySchema,
        response: policyPreviewSchema,
      }),
    },
    (request) => previewPolicy(deps, memberOf(request).organizationId, request.body),
  );
  app.post<{ Body: TryPolicy }>(
    '/policies/try',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'tryPolicy',
        area: 'Policies',
        summary: 'Test patterns and domains on samples',
        body: tryPolicySchema,
        response: triedPolicySchema,
      }),
    },
    (request) =>
      deps.pacedTurns.run(
        { organizationId: memberOf(request).organizationId, deviceId: null },
        tryRules(request.body),
      ),
  );
}
