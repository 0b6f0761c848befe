import {
  type CreateOrganizationToken,
  createdOrganizationTokenSchema,
  createOrganizationTokenSchema,
  idSchema,
  organizationTokenSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  createOrganizationToken,
  removeOrganizationToken,
} from '../../flows/accounts/organization-tokens.ts';
import type { Clock } from '../../flows/clock.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const params = Type.Object({ token_id: idSchema });

/** Tokens of programs that administer the organization. A token cannot call these routes. */
export function registerOrganizationTokens(
  app: FastifyInstance,
  deps: { readonly storage: Storage; readonly clock: Clock },
): void {
  const config = needsRole('admin');

  app.get(
    '/organization-tokens',
    {
      config,
      schema: dashboardRoute({
        id: 'listOrganizationTokens',
        area: 'Organization',
        summary: 'List organization tokens',
        response: Type.Array(organizationTokenSchema),
      }),
    },
    async (request) =>
      (await deps.storage.organizationTokens.list(memberOf(request).organizationId)).map(tokenRecord),
  );

  app.post<{ Body: CreateOrganizationToken }>(
    '/organization-tokens',
    {
      config,
      schema: dashboardRoute({
        id: 'createOrganizationToken',
        area: 'Organization',
        summary: 'Create an organization token',
        description:
          'Sent as `Authorization: Bearer` to /dashboard routes, the token acts as you within its scopes and needs no CSRF token. It ends with your membership or admin role. Shown once.',
        body: createOrganizationTokenSchema,
        response: createdOrganizationTokenSchema,
        codes: ['plan_limit_reached'],
      }),
    },
    async (request) => {
      const { record, token } = await createOrganizationToken(deps, memberOf(request), request.body);
      return { ...tokenRecord(record), token };
    },
  );

  app.delete<{ Params: { token_id: string } }>(
    '/organization-tokens/:token_id',
    {
      config,
      schema: dashboardRoute({
        id: 'deleteOrganizationToken',
        area: 'Organization',
        summary: 'Delete an organization token',
        params,
        response: null,
        status: 204,
        codes: ['not_found'],
      }),
    },
    async (request, reply) => {
      await removeOrganizationToken(deps, memberOf(request), request.params.token_id);
      return reply.code(204).send();
    },
  );
}

const tokenRecord = wireOf(organizationTokenSchema);
