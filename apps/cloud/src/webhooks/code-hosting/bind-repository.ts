import { CodedError } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import { requireRole } from '../../access/require-role.ts';
import type { CodeRepository, Storage } from '../../storage/storage.ts';

export interface BindDeps {
  readonly storage: Pick<Storage, 'transaction' | 'codeRepositories' | 'projects'>;
}

const FULL_NAME = /^[\w.-]{1,100}\/[\w.-]{1,100}$/;

/** From now on, the project's rules apply to texts of the repository, which are recorded as its events. */
export async function bindRepository(
  deps: BindDeps,
  admin: Admin,
  projectId: string,
  fullName: string,
): Promise<CodeRepository> {
  const { organizationId } = admin;
  if (!FULL_NAME.test(fullName)) {
    throw new CodedError('invalid_request', { message: 'Name the repository as owner/name.' });
  }
  const bound = await deps.storage.transaction(async (repositories) => {
    await requireRole({ storage: repositories }, admin, 'admin', { projectId });
    await findProject(repositories, admin, projectId);
    const made = await repositories.codeRepositories.bind(organizationId, projectId, fullName);
    if (made === null) return null;
    await repositories.audit.append({
      organizationId,
      kind: 'repository_bound',
      actor: admin.id,
      subject: projectId,
      data: { repository: made.fullName },
    });
    return made;
  });
  if (bound === null) {
    throw new CodedError('invalid_state', {
      message: 'This repository is already bound to a project of another organization.',
    });
  }
  return bound;
}

export async function unbindRepository(deps: BindDeps, admin: Admin, fullName: string): Promise<void> {
  await deps.storage.transaction(async (repositories) => {
    await requireRole({ storage: repositories }, admin, 'admin');
    if (!(await repositories.codeRepositories.unbind(admin.organizationId, fullName))) {
      throw new CodedError('not_found', { message: 'This repository is not bound to a project of yours.' });
    }
    await repositories.audit.append({
      organizationId: admin.organizationId,
      kind: 'repository_unbound',
      actor: admin.id,
      subject: admin.organizationId,
      data: { repository: fullName.toLowerCase() },
    });
  });
}
