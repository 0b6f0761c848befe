import {
  type ChangeProject,
  type CreateProjectRequest,
  changeProjectSchema,
  createProjectRequestSchema,
  explicitNames,
  idSchema,
  type ProjectRecord,
  projectSchema,
  SETTING_NAMES,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { settingsOf } from '../flows/authenticate-key.ts';
import { type ChangeProjectDeps, changeProjectByKey } from '../flows/change-project.ts';
import { createProject, type ProjectDeps } from '../flows/create-project.ts';
import { principalOf } from '../plugins/auth.ts';
import { withStoredResponse } from '../plugins/idempotency.ts';
import { needsScope } from '../plugins/route-access.ts';
import type { Project } from '../storage/storage.ts';
import { wireOf } from '../wire/wire-of.ts';
import { documented } from './documented.ts';

export function registerProjects(app: FastifyInstance, deps: ProjectDeps & ChangeProjectDeps): void {
  const config = needsScope('projects');
  app.get(
    '/projects',
    {
      config,
      schema: documented({
        tag: 'Projects',
        id: 'listProjects',
        summary: 'List projects',
        response: Type.Array(projectSchema),
        codes: ['missing_api_key', 'invalid_api_key'],
      }),
    },
    async (request) => {
      const projects = await deps.storage.projects.list(principalOf(request).organizationId);
      return projects.map(projectRecord);
    },
  );
  app.post<{ Body: CreateProjectRequest }>(
    '/projects',
    {
      config,
      schema: documented({
        tag: 'Projects',
        id: 'createProject',
        summary: 'Create a project',
        description:
          "Creates the project in the key's organization. The owner's plan limits the number of projects.",
        body: createProjectRequestSchema,
        response: projectSchema,
        codes: ['missing_api_key', 'invalid_api_key', 'insufficient_role', 'plan_limit_reached'],
      }),
    },
    async (request) =>
      projectRecord(
        await createProject(
          withStoredResponse(deps, request, projectRecord),
          principalOf(request),
          request.body,
        ),
      ),
  );
  app.patch<{ Params: { project_id: string }; Body: ChangeProject }>(
    '/projects/:project_id',
    {
      config: { ...config, preservedNulls: SETTING_NAMES },
      schema: documented({
        tag: 'Projects',
        id: 'updateProject',
        summary: 'Update a project',
        description:
          'The key acts as the person who created it, who must be an admin. A key of a project cannot change that project. Setting a setting to null makes it follow strictness_level and fail_mode again.',
        params: Type.Object({ project_id: idSchema }),
        body: changeProjectSchema,
        response: projectSchema,
        codes: ['missing_api_key', 'invalid_api_key', 'insufficient_scope', 'insufficient_role', 'not_found'],
      }),
    },
    async (request) =>
      projectRecord(
        await changeProjectByKey(
          withStoredResponse(deps, request, projectRecord),
          principalOf(request),
          request.params.project_id,
          request.body,
        ),
      ),
  );
}

const shownProject = wireOf(projectSchema, 'explicit_settings', ...SETTING_NAMES);

export function projectRecord(project: Project): ProjectRecord {
  return {
    ...shownProject(project),
    ...settingsOf(project).settings,
    explicit_settings: explicitNames(project.settings),
  };
}
