import {
  CodedError,
  credentialNameSchema,
  type ErrorCode,
  idSchema,
  providerListSchema,
  type SetCredential,
  setCredentialSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type ChangeProjectDeps, changeCredential } from '../../flows/change-project.ts';
import { type DeleteProjectDeps, deleteProject } from '../../flows/delete-project.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Provider } from '../../upstream/providers.ts';
import { dashboardRoute } from './dashboard-route.ts';

export interface ProjectRouteDeps extends ChangeProjectDeps, DeleteProjectDeps {
  readonly storage: Storage;
  readonly providers: readonly Provider[];
}

const params = Type.Object({ project_id: idSchema });
const credentialParams = Type.Object({
  project_id: idSchema,
  provider: Type.String({ maxLength: 64 }),
});
interface CredentialParams {
  project_id: string;
  provider: string;
}
const CODES: readonly ErrorCode[] = ['not_found'];

/** Registers what only people do with projects: deletion, and the credentials stored for providers. */
export function registerDashboardProjects(app: FastifyInstance, deps: ProjectRouteDeps): void {
  registerDeletion(app, deps);
  registerProviderCredentials(app, deps);
}

function registerDeletion(app: FastifyInstance, deps: ProjectRouteDeps): void {
  app.delete<{ Params: { project_id: string } }>(
    '/projects/:project_id',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'deleteDashboardProject',
        area: 'Projects',
        summary: 'Delete a project',
        description:
          'Deletes its keys, policies, credentials and events, and revokes its devices, within a second on every instance. The audit log is kept and names what was deleted.',
        params,
        response: null,
        status: 204,
        codes: CODES,
      }),
    },
    async (request, reply) => {
      await deleteProject(deps, memberOf(request), request.params.project_id);
      return reply.code(204).send();
    },
  );
}

function registerProviderCredentials(app: FastifyInstance, deps: ProjectRouteDeps): void {
  app.get(
    '/providers',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listProviders',
        area: 'Projects',
        summary: 'List model providers',
        response: providerListSchema,
      }),
    },
    async () => deps.providers.map(({ name, label }) => ({ name, label })),
  );

  app.put<{ Params: CredentialParams; Body: SetCredential }>(
    '/projects/:project_id/credentials/:provider',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'setProviderCredential',
        area: 'Projects',
        summary: 'Store a provider credential',
        description:
          'Used if a request has no credential. Of several per provider, the one that `X-Service-Credential` names is used, else the one whose `models` contains the model, else the default one. Stored encrypted; never shown again.',
        params: credentialParams,
        body: setCredentialSchema,
        response: null,
        status: 204,
        codes: CODES,
      }),
    },
    async (request, reply) => {
      const { project_id: projectId, provider } = request.params;
      const { secret, name, models } = request.body;
      if (!deps.providers.some(({ name }) => name === provider)) {
        throw new CodedError('not_found', { message: 'No such provider.' });
      }
      await changeCredential(deps, memberOf(request), projectId, {
        ...{ provider, name, models },
        secret: secret.trim(),
      });
      return reply.code(204).send();
    },
  );

  app.delete<{ Params: CredentialParams; Querystring: { readonly name?: string } }>(
    '/projects/:project_id/credentials/:provider',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'deleteProviderCredential',
        area: 'Projects',
        summary: 'Delete a provider credential',
        params: credentialParams,
        query: Type.Object({ name: Type.Optional(credentialNameSchema) }),
        response: null,
        status: 204,
        codes: CODES,
      }),
    },
    async (request, reply) => {
      const { project_id: projectId, provider } = request.params;
      const { name } = request.query;
      await changeCredential(deps, memberOf(request), projectId, { provider, name, secret: null });
      return reply.code(204).send();
    },
  );
}
