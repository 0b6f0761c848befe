import { type ChangeProject, CodedError, changedSettings } from '@csg/shared/contract';
import type { Admin, Caller } from '../access/caller.ts';
import { findProject, unknownProject } from '../access/find-project.ts';
import { requireRole } from '../access/require-role.ts';
import type { Project, Storage } from '../storage/storage.ts';
import { presetPolicies } from './create-project.ts';

export interface ChangeProjectDeps {
  readonly storage: Pick<Storage, 'members' | 'projects' | 'transaction'>;
  /** Makes every request read its key anew, so that a change counts at once on this instance. */
  readonly forgetKeys: () => void;
}

/** The same by a key, which acts as the person who created it. */
export async function changeProjectByKey(
  deps: ChangeProjectDeps,
  caller: Caller,
  projectId: string,
  change: ChangeProject,
): Promise<Project> {
  if (caller.projectId === projectId) {
    throw new CodedError('insufficient_scope', {
      message:
        'This key belongs to the project, so it cannot change it. Use the dashboard, or a key of an admin that belongs to no project or to another one.',
      fields: { required_scope: 'projects' },
    });
  }
  const { organizationId, actor: id, userId } = caller;
  return await changeProject(deps, { organizationId, id, userId }, projectId, change);
}

/** Changes what is given. Another preset brings its policies in the place of those of the old one. */
export async function changeProject(
  deps: ChangeProjectDeps,
  admin: Admin,
  projectId: string,
  change: ChangeProject,
): Promise<Project> {
  const { organizationId } = admin;
  await requireRole(deps, admin, 'admin');
  const changed = await deps.storage.transaction(async (repositories) => {
    const before = await repositories.projects.hold(organizationId, projectId);
    if (before === null) throw unknownProject();
    const project = await repositories.projects.update(organizationId, projectId, {
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.description === undefined ? {} : { description: change.description || null }),
      ...(change.fail_mode === undefined ? {} : { failMode: change.fail_mode }),
      ...(change.use_case === undefined ? {} : { useCase: change.use_case }),
      ...(change.strictness_level === undefined ? {} : { strictnessLevel: change.strictness_level }),
      ...(change.zero_retention === undefined ? {} : { zeroRetention: change.zero_retention }),
      settings: changedSettings(before.settings, change),
    });
    if (project.useCase !== before.useCase || project.strictnessLevel !== before.strictnessLevel) {
      for (const policy of await repositories.policies.list(organizationId)) {
        if (policy.projectId === projectId && policy.fromPreset) {
          await repositories.policies.remove(organizationId, policy.id);
        }
      }
      await repositories.policies.insertMany(organizationId, projectId, presetPolicies(project));
    }
    await repositories.audit.append({
      organizationId,
      kind: 'project_changed',
      actor: admin.id,
      subject: projectId,
      data: {
        use_case: project.useCase,
        strictness_level: project.strictnessLevel,
        fail_mode: project.failMode,
        zero_retention: project.zeroRetention,
        settings: project.settings,
      },
    });
    return project;
  });
  deps.forgetKeys();
  return changed;
}

/** `secret` null: takes it away. */
export async function changeCredential(
  deps: { readonly storage: Pick<Storage, 'members' | 'projects' | 'transaction'> },
  admin: Admin,
  projectId: string,
  provider: string,
  secret: string | null,
): Promise<void> {
  const { organizationId } = admin;
  await requireRole(deps, admin, 'admin');
  await deps.storage.transaction(async (repositories) => {
    await findProject(repositories, admin, projectId);
    if (secret !== null) {
      await repositories.projects.setCredential(organizationId, projectId, provider, secret);
    } else if (!(await repositories.projects.removeCredential(organizationId, projectId, provider))) {
      throw new CodedError('not_found', { message: 'This project has no credential for this provider.' });
    }
    await repositories.audit.append({
      organizationId,
      kind: secret === null ? 'provider_credential_removed' : 'provider_credential_set',
      actor: admin.id,
      subject: projectId,
      data: { provider },
    });
  });
}
