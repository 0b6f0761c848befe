import {
  createDirectoryTokenRequestSchema,
  createdDirectoryTokenSchema,
  directoryTokenSchema,
  idSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { createDirectoryToken, removeDirectoryToken } from '../../flows/accounts/directory-tokens.ts';
import type { Links } from '../../flows/links.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const params = Type.Object({ token_id: idSchema });

/** Registers tokens for the organization's directory (SCIM). */
export function registerDirectoryTokens(
  app: FastifyInstance,
  deps: { readonly storage: Storage; readonly links: Links },
): void {
  const config = needsRole('admin');

  app.get(
    '/directory-tokens',
    {
      config,
      schema: dashboardRoute({
        id: 'listDirectoryTokens',
        area: 'Members',
        summary: 'List directory tokens',
        response: Type.Array(directoryTokenSchema),
      }),
    },
    async (request) =>
      (await deps.storage.directory.listTokens(memberOf(request).organizationId)).map(tokenRecord),
  );

  app.post<{ Body: { readonly name: string } }>(
    '/directory-tokens',
    {
      config,
      schema: dashboardRoute({
        id: 'createDirectoryToken',
        area: 'Members',
        summary: 'Create a directory token',
        description: 'Lets an identity provider manage members with SCIM 2.0. The token is shown once.',
        body: createDirectoryTokenRequestSchema,
        response: createdDirectoryTokenSchema,
        codes: ['plan_limit_reached'],
      }),
    },
    async (request) => {
      const { record, token } = await createDirectoryToken(deps, memberOf(request), request.body.name);
      return { ...tokenRecord(record), token, base_url: deps.links.scim() };
    },
  );

  app.delete<{ Params: { token_id: string } }>(
    '/directory-tokens/:token_id',
    {
      config,
      schema: dashboardRoute({
        id: 'deleteDirectoryToken',
        area: 'Members',
        summary: 'Delete a directory token',
        params,
        response: null,
        status: 204,
        codes: ['not_found'],
      }),
    },
    async (request, reply) => {
      await removeDirectoryToken(deps, memberOf(request), request.params.token_id);
      return reply.code(204).send();
    },
  );
}

const tokenRecord = wireOf(directoryTokenSchema);
