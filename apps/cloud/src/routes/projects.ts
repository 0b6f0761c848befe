import {
  type ChangeProject,
  type CreateProjectRequest,
  changeProjectSchema,
  createProjectRequestSchema,
  type DashboardProject,
  dashboardProjectSchema,
  explicitNames,
  idSchema,
  type ProjectRecord,
  projectSchema,
  SETTING_NAMES,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { settingsOf } from '../flows/authenticate-key.ts';
import { type ChangeProjectDeps, changeProjectAs } from '../flows/change-project.ts';
import { createProject, type ProjectDeps } from '../flows/create-project.ts';
import type { Project, Storage } from '../storage/storage.ts';
import { wireOf } from '../wire/wire-of.ts';
import { type UniqueNameQuery, uniqueNameQuery } from './dashboard/dashboard-route.ts';
import type { Mount } from './mount.ts';

interface ProjectRouteDeps extends ProjectDeps, ChangeProjectDeps {
  readonly storage: Storage;
}

const AREA = 'Projects';

/** Registers the projects of an organization. */
export const registerProjects =
  (by: Mount) =>
  (app: FastifyInstance, deps: ProjectRouteDeps): void => {
    const response = by.isByKey ? projectSchema : dashboardProjectSchema;
    const show = (project: Project) =>
      by.isByKey ? projectRecord(project) : dashboardProject(deps, project);
    app.get(
      '/projects',
      {
        config: by.access({ scope: 'projects', role: 'viewer' }),
        schema: by.document(['list', 'Projects'], AREA, {
          summary: 'List projects',
          response: Type.Array(response),
        }),
      },
      async (request) => {
        const projects = await deps.storage.projects.list(by.callerOf(request).organizationId);
        return await Promise.all(projects.map(show));
      },
    );

    app.post<{ Body: CreateProjectRequest; Querystring: UniqueNameQuery }>(
      '/projects',
      {
        config: by.access({ scope: 'projects', role: 'member' }),
        schema: by.document(['create', 'Project'], AREA, {
          summary: 'Create a project',
          body: createProjectRequestSchema,
          response: projectSchema,
          ...(by.isByKey
            ? {
                description:
                  "Creates the project in the key's organization. The owner's plan limits the number of projects.",
                codes: ['insufficient_role', 'plan_limit_reached'],
              }
            : { query: uniqueNameQuery, codes: ['plan_limit_reached', 'invalid_state'] }),
        }),
      },
      async (request) => {
        const change = by.forChange(deps, request, projectRecord);
        const uniqueName = request.query.unique_name === 'true';
        return projectRecord(await createProject(change, by.callerOf(request), request.body, { uniqueName }));
      },
    );

    app.patch<{ Params: { project_id: string }; Body: ChangeProject }>(
      '/projects/:project_id',
      {
        config: { ...by.access({ scope: 'projects', role: 'admin' }), preservedNulls: SETTING_NAMES },
        schema: by.document(['update', 'Project'], AREA, {
          summary: 'Update a project',
          ...{ params: Type.Object({ project_id: idSchema }), body: changeProjectSchema, response },
          ...(by.isByKey
            ? {
                description:
                  'The key acts as the person who created it, who must be an admin. A key of a project cannot change that project. Setting a setting to null makes it follow strictness_level and fail_mode again.',
                codes: ['insufficient_scope', 'insufficient_role', 'not_found'],
              }
            : {
                description: 'Applies to the next request here, and within a second on every instance.',
                codes: ['not_found'],
              }),
        }),
      },
      async (request) => {
        const change = by.forChange(deps, request, projectRecord);
        const { project_id: projectId } = request.params;
        return await show(await changeProjectAs(change, by.callerOf(request), projectId, request.body));
      },
    );
  };

const shownProject = wireOf(projectSchema, 'explicit_settings', ...SETTING_NAMES);

function projectRecord(project: Project): ProjectRecord {
  return {
    ...shownProject(project),
    ...settingsOf(project).settings,
    explicit_settings: explicitNames(project.settings),
  };
}

async function dashboardProject({ storage }: ProjectRouteDeps, project: Project): Promise<DashboardProject> {
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
