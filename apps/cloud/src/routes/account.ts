import {
  type EnrollRequest,
  enrollRequestSchema,
  enrollResponseSchema,
  policyListSchema,
  usageStatsSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../flows/clock.ts';
import { type EnrollDeps, enrollDevice } from '../flows/enroll-device.ts';
import { policyRecord } from '../flows/policies/policy-records.ts';
import { readUsage } from '../flows/read-usage.ts';
import { principalOf } from '../plugins/auth.ts';
import { needsScope, openToAll } from '../plugins/route-access.ts';
import type { Storage } from '../storage/storage.ts';
import { documented } from './documented.ts';

export interface AccountDeps extends EnrollDeps {
  readonly storage: Pick<Storage, 'policies' | 'usage' | 'flush' | 'transaction'>;
  readonly clock: Clock;
}

/** Registers routes for usage, policies and enrollment. */
export function registerAccount(app: FastifyInstance, deps: AccountDeps): void {
  app.get(
    '/usage/stats',
    {
      config: needsScope('usage'),
      schema: documented({
        tag: 'Account',
        id: 'getUsage',
        summary: 'Get the usage of this month',
        description:
          'Covers the whole account. Limits are null if the plan has none. Days and months are in UTC.',
        response: usageStatsSchema,
        codes: ['missing_api_key', 'invalid_api_key'],
      }),
    },
    (request) => readUsage(deps, principalOf(request)),
  );

  app.get(
    '/policies',
    {
      config: needsScope('policies', { device: true }),
      schema: documented({
        tag: 'Account',
        id: 'listActivePolicies',
        summary: 'List active policies',
        description: "Policies of the key's project and of the whole account, highest priority first.",
        response: policyListSchema,
        codes: ['missing_api_key', 'invalid_api_key'],
      }),
    },
    async (request) => {
      const { organizationId, projectId } = principalOf(request);
      const active = await deps.storage.policies.listActive(organizationId, projectId);
      const policies = active.map(policyRecord);
      return { policies, total: policies.length };
    },
  );

  app.post<{ Body: EnrollRequest }>(
    '/enroll',
    {
      config: openToAll(),
      schema: documented({
        tag: 'Devices',
        id: 'enrollDevice',
        summary: 'Enroll a device',
        description:
          'Authenticated by the enrollment token. Only this response contains the device credential.',
        body: enrollRequestSchema,
        response: enrollResponseSchema,
        codes: ['invalid_enrollment_token'],
        open: true,
      }),
    },
    (request) => enrollDevice(deps, request.body),
  );
}
