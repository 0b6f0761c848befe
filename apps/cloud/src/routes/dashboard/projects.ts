import {
  type ChangeProject,
  CodedError,
  type CreateProjectRequest,
  changeProjectSchema,
  createProjectRequestSchema,
  credentialNameSchema,
  type DashboardProject,
  dashboardProjectSchema,
  type ErrorCode,
  idSchema,
  projectSchema,
  providerListSchema,
  SETTING_NAMES,
  type SetCredential,
  setCredentialSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type ChangeProjectDeps, changeCredential, changeProject } from '../../flows/change-project.ts';
import { createProject } from '../../flows/create-project.ts';
import { type DeleteProjectDeps, deleteProject } from '../../flows/delete-project.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Project, Storage } from '../../storage/storage.ts';
import type { Provider } from '../../upstream/providers.ts';
import { projectRecord } from '../projects.ts';
import { callerOf } from './caller-of.ts';
import { dashboardRoute, type UniqueNameQuery, uniqueNameQuery } from './dashboard-route.ts';

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

/** Registers projects: their preset, their fail mode, and their stored provider credentials. */
export function registerDashboardProjects(app: FastifyInstance, deps: ProjectRouteDeps): void {
  registerProjects(app, deps);
  registerProviderCredentials(app, deps);
}

function registerProjects(app: FastifyInstance, deps: ProjectRouteDeps): void {
  app.get(
    '/projects',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listDashboardProjects',
        area: 'Projects',
        summary: 'List projects',
        response: Type.Array(dashboardProjectSchema),
      }),
    },
    async (request) => {
      const { organizationId } = memberOf(request);
      const projects = await deps.storage.projects.list(organizationId);
      return Promise.all(projects.map((project) => forDashboard(deps, project)));
    },
  );

  app.post<{ Body: CreateProjectRequest; Querystring: UniqueNameQuery }>(
    '/projects',
    {
      config: needsRole('member'),
      schema: dashboardRoute({
        id: 'createDashboardProject',
        area: 'Projects',
        summary: 'Create a project',
        query: uniqueNameQuery,
        body: createProjectRequestSchema,
        response: projectSchema,
        codes: ['plan_limit_reached', 'invalid_state'],
      }),
    },
    async (request) => {
      const uniqueName = request.query.unique_name === 'true';
      return projectRecord(await createProject(deps, callerOf(request), request.body, { uniqueName }));
    },
  );

  app.patch<{ Params: { project_id: string }; Body: ChangeProject }>(
    '/projects/:project_id',
    {
      config: { ...needsRole('admin'), preservedNulls: SETTING_NAMES },
      schema: dashboardRoute({
        id: 'updateDashboardProject',
        area: 'Projects',
        summary: 'Update a project',
        description: 'Applies to the next request here, and within a second on every instance.',
        params,
        body: changeProjectSchema,
        response: dashboardProjectSchema,
        codes: CODES,
      }),
    },
    async (request) =>
      forDashboard(
        deps,
        await changeProject(deps, memberOf(request), request.params.project_id, request.body),
      ),
  );

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

async function forDashboard({ storage }: ProjectRouteDeps, project: Project): Promise<DashboardProject> {
  const { organizationId, id } = project;
  const [credentials, keys] = await Promise.all([
    storage.projects.listCredentials(organizationId, id),
    storage.keys.list(organizationId, { projectId: id }),
  ]);
  return {
    ...projectRecord(project),
    providers: [...new Set(credentials.map(({ provider }) => provider))],
    credentials: credentials.map((one) => ({ ...one, models: [...one.models] })),
    keys: keys.length,
  };
}
