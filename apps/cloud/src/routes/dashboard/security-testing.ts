import {
  idSchema,
  type SecurityTestRun as RunInput,
  securityTestRunSchema,
  testRunListSchema,
  testRunSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type NameDeps, readNames } from '../../flows/insight/read-names.ts';
import {
  readRun,
  runSummary,
  type SaveRunDependencies,
  saveRun,
} from '../../flows/security-testing/save-run.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { dashboardRoute } from './dashboard-route.ts';

/** Registers stored runs of the security tests, for comparison. */
export function registerTestRuns(app: FastifyInstance, deps: SaveRunDependencies & NameDeps): void {
  app.get(
    '/security-testing/runs',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listSecurityTestRuns',
        area: 'Security tests',
        summary: 'List runs of the security tests',
        description: 'The newest 50, newest first.',
        response: testRunListSchema,
      }),
    },
    async (request) => {
      const { organizationId } = memberOf(request);
      const [runs, names] = await Promise.all([
        deps.storage.securityTestRuns.list(organizationId),
        readNames(deps, organizationId),
      ]);
      return runs.map((run) => runSummary(run, names.of));
    },
  );
  app.post<{ Body: RunInput }>(
    '/security-testing/runs',
    {
      config: needsRole('member', { isHeavy: true }),
      schema: dashboardRoute({
        id: 'createSecurityTestRun',
        area: 'Security tests',
        summary: 'Run all security tests and keep the result',
        description: 'Takes up to 30 seconds. Does not count as usage and creates no events.',
        body: securityTestRunSchema,
        response: testRunSchema,
        codes: ['invalid_preset', 'engine_unavailable'],
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const run = await saveRun(deps, member, request.body.target_preset);
      const names = await readNames(deps, member.organizationId);
      return readRun(deps, member.organizationId, run.id, names.of);
    },
  );
  app.get<{ Params: { run_id: string } }>(
    '/security-testing/runs/:run_id',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getSecurityTestRun',
        area: 'Security tests',
        summary: 'Get a run of the security tests',
        params: Type.Object({ run_id: idSchema }),
        response: testRunSchema,
        codes: ['not_found'],
      }),
    },
    async (request) => {
      const { organizationId } = memberOf(request);
      const names = await readNames(deps, organizationId);
      return readRun(deps, organizationId, request.params.run_id, names.of);
    },
  );
}
