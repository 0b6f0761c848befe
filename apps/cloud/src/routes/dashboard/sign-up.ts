import {
  forgotPasswordRequestSchema,
  type ResetPasswordRequest,
  resetPasswordRequestSchema,
  type SignInOptions,
  type SignUpRequest,
  signInOptionsSchema,
  signUpRequestSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import type { AccountDeps } from '../../flows/accounts/account-deps.ts';
import { requestPasswordReset, resetPassword } from '../../flows/accounts/reset-password.ts';
import { createSetUpCheck } from '../../flows/accounts/set-up-owner.ts';
import { type SignUpDeps, signUp } from '../../flows/accounts/sign-up.ts';
import { withMinimumDuration } from '../../flows/accounts/with-minimum-duration.ts';
import type { EnvironmentSso } from '../../flows/single-sign-on/find-sso.ts';
import { openToAll } from '../../plugins/route-access.ts';
import type { Storage } from '../../storage/storage.ts';
import { dashboardRoute } from './dashboard-route.ts';

const config = openToAll();

export interface SignUpRouteDeps extends AccountDeps, SignUpDeps {
  readonly storage: Storage;
  readonly delivery: 'smtp' | 'outbox';
  readonly environmentSso: EnvironmentSso | null;
}

/** Returns which single sign-on button the sign-in page shows. */
async function ssoOption({
  storage,
  environmentSso,
}: Pick<SignUpRouteDeps, 'storage' | 'environmentSso'>): Promise<SignInOptions['sso']> {
  if (environmentSso !== null) return 'default';
  return (await storage.singleSignOn.hasProviders()) ? 'by_email' : 'none';
}

/** Routes for a person who is not signed in and has no link yet. */
export function registerSignUp(app: FastifyInstance, deps: SignUpRouteDeps): void {
  registerNewAccounts(app, deps);
  registerPasswordReset(app, deps);
}

function registerNewAccounts(app: FastifyInstance, deps: SignUpRouteDeps): void {
  const isSetUp = createSetUpCheck(deps);
  app.get(
    '/sign-in-options',
    {
      config,
      schema: dashboardRoute({
        id: 'getSignInOptions',
        area: 'Sign-in',
        summary: 'Get the ways to sign in',
        response: signInOptionsSchema,
        isPublic: true,
      }),
    },
    async (): Promise<SignInOptions> => ({
      sign_up: deps.signUp,
      mail: deps.delivery,
      is_set_up: await isSetUp(),
      sso: await ssoOption(deps),
    }),
  );

  app.post<{ Body: SignUpRequest }>(
    '/sign-up',
    {
      config,
      schema: dashboardRoute({
        id: 'signUp',
        area: 'Sign-in',
        summary: 'Create an account',
        description:
          'The response is the same whether or not the address is known; the email that follows differs.',
        body: signUpRequestSchema,
        response: null,
        status: 204,
        codes: ['sign_up_closed', 'rate_limit_exceeded'],
        isPublic: true,
      }),
    },
    async (request, reply) => {
      await withMinimumDuration(signUp(deps, request.body, request.ip));
      return reply.code(204).send();
    },
  );
}

function registerPasswordReset(app: FastifyInstance, deps: SignUpRouteDeps): void {
  app.post<{ Body: { readonly email: string } }>(
    '/password/forgot',
    {
      config,
      schema: dashboardRoute({
        id: 'requestPasswordReset',
        area: 'Sign-in',
        summary: 'Request a password reset',
        description:
          'The response is the same whether or not the address is known; a known address is sent an email.',
        body: forgotPasswordRequestSchema,
        response: null,
        status: 204,
        codes: ['rate_limit_exceeded'],
        isPublic: true,
      }),
    },
    async (request, reply) => {
      await withMinimumDuration(requestPasswordReset(deps, request.body.email, request.ip));
      return reply.code(204).send();
    },
  );

  app.post<{ Body: ResetPasswordRequest }>(
    '/password/reset',
    {
      config,
      schema: dashboardRoute({
        id: 'resetPassword',
        area: 'Sign-in',
        summary: 'Reset a password',
        description: 'Takes the token of the email. Ends every session of that person.',
        body: resetPasswordRequestSchema,
        response: null,
        status: 204,
        codes: ['link_expired'],
        isPublic: true,
      }),
    },
    async (request, reply) => {
      await resetPassword(deps, request.body);
      return reply.code(204).send();
    },
  );
}
