import { CodedError, type CreateProjectRequest, changedSettings } from '@csg/shared/contract';
import { defaultPolicies } from '@csg/shared/detection';
import type { Caller } from '../access/caller.ts';
import { requireRole } from '../access/require-role.ts';
import type { PolicyInput, Project, Repositories, Storage } from '../storage/storage.ts';

export interface ProjectDeps {
  readonly storage: Pick<Storage, 'members' | 'projects' | 'transaction'>;
}

/**
 * Creates a project in the key's organization, up to the limit of the owner's plan.
 * `uniqueName`: throws `invalid_state` if the organization already has a project with this name.
 */
export async function createProject(
  deps: ProjectDeps,
  caller: Caller,
  request: CreateProjectRequest,
  { uniqueName = false } = {},
): Promise<Project> {
  await requireRole(deps, caller, 'member');
  return deps.storage.transaction(async (repositories) => {
    if (uniqueName) await requireNewName(repositories, caller.organizationId, request.name);
    const allowance = caller.account.plan.projects;
    if (allowance !== null) await repositories.users.lock(caller.account.id);
    if (allowance !== null && (await repositories.projects.countForAccount(caller.account.id)) >= allowance) {
      throw new CodedError('plan_limit_reached', {
        message: `The ${caller.account.planName} plan allows ${allowance} project${allowance === 1 ? '' : 's'}. Change the plan to create more.`,
        fields: { current_plan: caller.account.planName, limit: allowance },
      });
    }
    const project = await insertProject(repositories, caller.organizationId, request);
    await repositories.audit.append({
      organizationId: caller.organizationId,
      kind: 'project_created',
      actor: caller.actor,
      subject: project.id,
      data: {
        use_case: project.useCase,
        strictness_level: project.strictnessLevel,
        fail_mode: project.failMode,
        settings: project.settings,
      },
    });
    return project;
  });
}

/** Of two concurrent requests, the second waits for the first and finds its project. */
async function requireNewName(
  { organizations, projects }: Pick<Repositories, 'organizations' | 'projects'>,
  organizationId: string,
  name: string,
): Promise<void> {
  await organizations.lock(organizationId);
  if (!(await projects.list(organizationId)).some((project) => project.name === name)) return;
  throw new CodedError('invalid_state', {
    message: `A project named "${name}" already exists.`,
  });
}

/** Inserts the project with the policies of its preset, so that people see what decides. */
export async function insertProject(
  repositories: Pick<Repositories, 'projects' | 'policies'>,
  organizationId: string,
  request: CreateProjectRequest,
): Promise<Project> {
  const project = await repositories.projects.insert(organizationId, {
    name: request.name,
    description: request.description ?? null,
    failMode: request.fail_mode ?? 'open',
    useCase: request.use_case ?? 'default',
    strictnessLevel: request.strictness_level ?? 'moderate',
    settings: changedSettings({}, request),
  });
  await repositories.policies.insertMany(organizationId, project.id, presetPolicies(project));
  return project;
}

/** Returns the effects of the project's preset as policy rows for people to read. */
export function presetPolicies(
  project: Pick<Project, 'useCase' | 'strictnessLevel'>,
): readonly PolicyInput[] {
  return defaultPolicies(project.useCase, project.strictnessLevel).map((policy) => ({
    name: policy.name,
    description: policy.description,
    action: policy.action,
    threatTypes: policy.threat_types,
    priority: policy.priority,
    fromPreset: true,
  }));
}
