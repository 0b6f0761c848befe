import {
  type CustomSecurityTest,
  customSecurityTestSchema,
  type ErrorCode,
  type SecurityTestRun,
  securityTestListSchema,
  securityTestResultSchema,
  securityTestRunSchema,
  securityTestSummarySchema,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { resolvePreset } from '../flows/security-testing/resolve-preset.ts';
import {
  listTests,
  runAllTests,
  runCustomTest,
  runTest,
  type SecurityTestDeps,
  type Tester,
} from '../flows/security-testing/run-security-tests.ts';
import { principalOf } from '../plugins/auth.ts';
import { needsScope } from '../plugins/route-access.ts';
import { documented } from './documented.ts';

const CODES: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key', 'engine_unavailable'];

/** Registers tests of the engine with the service's own texts. They leave no events and do not count as usage. */
export function registerSecurityTesting(app: FastifyInstance, deps: SecurityTestDeps): void {
  const config = needsScope('proxy');
  const preValidation = async (request: FastifyRequest) => checkPreset(request);

  app.get(
    '/security-testing/tests',
    {
      config,
      schema: documented({
        tag: 'Security testing',
        id: 'listSecurityTests',
        summary: 'List security tests',
        description: '`tests` are attacks; `harmless` are texts that must be allowed.',
        response: securityTestListSchema,
        codes: CODES,
      }),
    },
    (request) => listTests(deps, testerOf(request)),
  );

  app.post<{ Params: { test_name: string }; Body: SecurityTestRun }>(
    '/security-testing/run/:test_name',
    {
      config,
      schema: documented({
        tag: 'Security testing',
        id: 'runSecurityTest',
        summary: 'Run one security test',
        params: Type.Object({ test_name: Type.String() }),
        body: securityTestRunSchema,
        response: securityTestResultSchema,
        codes: [...CODES, 'invalid_preset', 'not_found'],
      }),
      preValidation,
    },
    (request) => runTest(deps, testerOf(request), request.params.test_name, request.body.target_preset),
  );

  app.post<{ Body: CustomSecurityTest }>(
    '/security-testing/run-custom',
    {
      config,
      schema: documented({
        tag: 'Security testing',
        id: 'runCustomSecurityTest',
        summary: 'Run a test with your own text',
        description: "Evaluates the text as a user's prompt under the preset. The text is not stored.",
        body: customSecurityTestSchema,
        response: securityTestResultSchema,
        codes: [...CODES, 'invalid_preset'],
      }),
      preValidation,
    },
    (request) =>
      runCustomTest(deps, testerOf(request), request.body.custom_prompt, request.body.target_preset),
  );

  app.post<{ Body: SecurityTestRun }>(
    '/security-testing/run-all',
    {
      config,
      schema: documented({
        tag: 'Security testing',
        id: 'runAllSecurityTests',
        summary: 'Run all security tests',
        description:
          'Takes up to 30 seconds. The same preset gives the same report. Tests that could not be run count neither in `total_tests` nor in `block_rate`.',
        body: securityTestRunSchema,
        response: securityTestSummarySchema,
        codes: [...CODES, 'invalid_preset'],
      }),
      preValidation,
    },
    (request) => runAllTests(deps, testerOf(request), request.body.target_preset),
  );
}

/** Responds with 400 to a value that is not a preset, before the schema's 422. A missing body names no preset. */
function checkPreset(request: FastifyRequest): void {
  request.body ??= {};
  resolvePreset((request.body as { target_preset?: unknown }).target_preset);
}

function testerOf(request: FastifyRequest): Tester {
  const { organizationId, projectId, keyId } = principalOf(request);
  return { organizationId, projectId, actor: keyId };
}
