import {
  begunSecondFactorSchema,
  codeRequestSchema,
  confirmedCodeRequestSchema,
  confirmedRequestSchema,
  type ErrorCode,
  recoveryCodesSchema,
  secondFactorSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import type { AccountDeps } from '../../flows/accounts/account-deps.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../flows/accounts/manage-second-factor.ts';
import { needsSession } from '../../plugins/route-access.ts';
import { signedInOf } from '../../plugins/session.ts';
import { dashboardRoute } from './dashboard-route.ts';

const CODES: readonly ErrorCode[] = ['invalid_state', 'wrong_code', 'rate_limit_exceeded'];

const config = needsSession();

/** Registers the authenticator app of a person's account. */
export function registerSecondFactor(app: FastifyInstance, deps: AccountDeps): void {
  registerEnabling(app, deps);
  registerEnabled(app, deps);
}

function registerEnabling(app: FastifyInstance, deps: AccountDeps): void {
  app.get(
    '/account/second-factor',
    {
      config,
      schema: dashboardRoute({
        id: 'getSecondFactor',
        area: 'Account',
        summary: 'Get the state of two-factor authentication',
        response: secondFactorSchema,
      }),
    },
    async (request) => {
      const { userId, hasSecondFactor } = signedInOf(request);
      const left = await deps.storage.secondFactors.countRecoveryCodes(userId);
      return { enabled: hasSecondFactor, recovery_codes_left: hasSecondFactor ? left : 0 };
    },
  );

  app.post<{ Body: { readonly current_password: string } }>(
    '/account/second-factor',
    {
      config,
      schema: dashboardRoute({
        id: 'startSecondFactor',
        area: 'Account',
        summary: 'Start to set up two-factor authentication',
        description:
          'Takes effect once /dashboard/account/second-factor/confirm has received a code of the app.',
        body: confirmedRequestSchema,
        response: begunSecondFactorSchema,
        codes: CODES,
      }),
    },
    (request) => beginSecondFactor(deps, signedInOf(request), request.body.current_password),
  );

  app.post<{ Body: { readonly code: string } }>(
    '/account/second-factor/confirm',
    {
      config,
      schema: dashboardRoute({
        id: 'confirmSecondFactor',
        area: 'Account',
        summary: 'Enable two-factor authentication',
        description: 'Ends every other session.',
        body: codeRequestSchema,
        response: recoveryCodesSchema,
        codes: CODES,
      }),
    },
    async (request) => ({
      recovery_codes: [...(await confirmSecondFactor(deps, signedInOf(request), request.body.code))],
    }),
  );
}

function registerEnabled(app: FastifyInstance, deps: AccountDeps): void {
  app.post<{ Body: { readonly code: string } }>(
    '/account/second-factor/recovery-codes',
    {
      config,
      schema: dashboardRoute({
        id: 'createRecoveryCodes',
        area: 'Account',
        summary: 'Create new recovery codes',
        description: 'Earlier codes become invalid.',
        body: codeRequestSchema,
        response: recoveryCodesSchema,
        codes: CODES,
      }),
    },
    async (request) => ({
      recovery_codes: [...(await renewRecoveryCodes(deps, signedInOf(request), request.body.code))],
    }),
  );

  app.post<{ Body: { readonly current_password: string; readonly code: string } }>(
    '/account/second-factor/remove',
    {
      config,
      schema: dashboardRoute({
        id: 'disableSecondFactor',
        area: 'Account',
        summary: 'Disable two-factor authentication',
        body: confirmedCodeRequestSchema,
        response: null,
        status: 204,
        codes: CODES,
      }),
    },
    async (request, reply) => {
      await removeSecondFactor(deps, signedInOf(request), request.body);
      return reply.code(204).send();
    },
  );
}
