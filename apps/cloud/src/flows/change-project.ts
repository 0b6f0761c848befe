import {
  type ChangeProject,
  CodedError,
  changedSettings,
  DEFAULT_CREDENTIAL,
  MAX_CREDENTIALS_PER_PROVIDER,
} from '@csg/shared/contract';
import type { Admin, Caller } from '../access/caller.ts';
import { findProject, unknownProject } from '../access/find-project.ts';
import { requireRole } from '../access/require-role.ts';
import type { JsonObject, Project, ProjectChange, Repositories, Storage } from '../storage/storage.ts';
import { AMAZON_FORM, isDamagedAmazonCredential } from '../upstream/amazon/credential.ts';
import { presetPolicies } from './create-project.ts';

export interface ChangeProjectDeps {
  readonly storage: Pick<Storage, 'members' | 'projects' | 'transaction'>;
  /** Makes every request read its key again, so that changes take effect immediately on this instance. */
  readonly forgetKeys: () => void;
}

/** Changes a project as a person, or through a key, which acts as the person who created it. */
export async function changeProjectAs(
  deps: ChangeProjectDeps,
  caller: Caller,
  projectId: string,
  change: ChangeProject,
): Promise<Project> {
  if (caller.projectId === projectId) {
    throw new CodedError('insufficient_scope', {
      message:
        'A key of a project cannot change that project. Use the dashboard, or a key of an admin outside of this project.',
      fields: { required_scope: 'projects' },
    });
  }
  const { organizationId, actor: id, userId } = caller;
  return await changeProject(deps, { organizationId, id, userId }, projectId, change);
}

/** Changes the given fields. A new preset replaces the policies of the old one. */
async function changeProject(
  deps: ChangeProjectDeps,
  admin: Admin,
  projectId: string,
  change: ChangeProject,
): Promise<Project> {
  const { organizationId } = admin;
  await requireRole(deps, admin, 'admin', { projectId });
  const changed = await deps.storage.transaction(async (repositories) => {
    const before = await repositories.projects.lock(organizationId, projectId);
    if (before === null) throw unknownProject();
    const project = await repositories.projects.update(organizationId, projectId, {
      ...changedFields(change),
      settings: changedSettings(before.settings, change),
    });
    if (project.useCase !== before.useCase || project.strictnessLevel !== before.strictnessLevel) {
      await replacePresetPolicies(repositories, organizationId, project);
    }
    await repositories.audit.append({
      organizationId,
      kind: 'project_changed',
      actor: admin.id,
      subject: projectId,
      data: { ...auditDataOf(project), before: auditDataOf(before) },
    });
    return project;
  });
  deps.forgetKeys();
  return changed;
}

function auditDataOf(project: Project): JsonObject {
  return {
    use_case: project.useCase,
    strictness_level: project.strictnessLevel,
    fail_mode: project.failMode,
    zero_retention: project.zeroRetention,
    settings: project.settings,
  };
}

function changedFields(change: ChangeProject): ProjectChange {
  return {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.description === undefined ? {} : { description: change.description || null }),
    ...(change.fail_mode === undefined ? {} : { failMode: change.fail_mode }),
    ...(change.use_case === undefined ? {} : { useCase: change.use_case }),
    ...(change.strictness_level === undefined ? {} : { strictnessLevel: change.strictness_level }),
    ...(change.zero_retention === undefined ? {} : { zeroRetention: change.zero_retention }),
  };
}

async function replacePresetPolicies(
  { policies }: Pick<Repositories, 'policies'>,
  organizationId: string,
  project: Project,
): Promise<void> {
  for (const policy of await policies.list(organizationId)) {
    if (policy.projectId === project.id && policy.fromPreset)
      await policies.remove(organizationId, policy.id);
  }
  await policies.insertMany(organizationId, project.id, presetPolicies(project));
}

export interface CredentialChange {
  readonly provider: string;
  readonly name?: string | undefined;
  /** Null: removes the credential. */
  readonly secret: string | null;
  readonly models?: readonly string[] | undefined;
}

export async function changeCredential(
  deps: { readonly storage: Pick<Storage, 'members' | 'projects' | 'transaction'> },
  admin: Admin,
  projectId: string,
  { provider, name = DEFAULT_CREDENTIAL, secret, models }: CredentialChange,
): Promise<void> {
  const { organizationId } = admin;
  await requireRole(deps, admin, 'admin', { projectId });
  if (secret !== null && isDamagedAmazonCredential(secret)) {
    throw new CodedError('invalid_request', { fields: { param: 'secret' }, message: AMAZON_FORM });
  }
  await deps.storage.transaction(async ({ projects, audit }) => {
    await findProject({ projects }, admin, projectId);
    if (secret !== null) {
      await projects.setCredential(organizationId, projectId, provider, secret, { name, models });
      const stored = await projects.listCredentials(organizationId, projectId);
      if (stored.filter((one) => one.provider === provider).length > MAX_CREDENTIALS_PER_PROVIDER) {
        throw new CodedError('invalid_request', {
          message: `A project can store at most ${MAX_CREDENTIALS_PER_PROVIDER} credentials per provider.`,
        });
      }
    } else if (!(await projects.removeCredential(organizationId, projectId, provider, name))) {
      throw new CodedError('not_found', {
        message: 'This project has no credential with this name for this provider.',
      });
    }
    await audit.append({
      organizationId,
      kind: secret === null ? 'provider_credential_removed' : 'provider_credential_set',
      actor: admin.id,
      subject: projectId,
      data: { provider, name },
    });
  });
}
