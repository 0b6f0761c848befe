import type { ChangeRetention, Retention } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import type { Project, Storage } from '../../storage/storage.ts';

export function retentionRecord(project: Project): Retention {
  return {
    project_id: project.id,
    retention_days: project.retentionDays,
    zero_retention: project.zeroRetention,
  };
}

/** Sets how long a project's events are stored. Older ones are deleted within minutes; the audit chain is kept. */
export async function changeRetention(
  deps: { readonly storage: Pick<Storage, 'transaction'>; readonly forgetKeys: () => void },
  admin: Admin,
  projectId: string,
  change: ChangeRetention,
): Promise<Retention> {
  const { organizationId } = admin;
  const changed = await deps.storage.transaction(async (repositories) => {
    const before = await findProject(repositories, admin, projectId);
    const project = await repositories.projects.update(organizationId, projectId, {
      ...(change.retention_days === undefined ? {} : { retentionDays: change.retention_days }),
      ...(change.keep_forever ? { retentionDays: null } : {}),
      ...(change.zero_retention === undefined ? {} : { zeroRetention: change.zero_retention }),
    });
    await repositories.audit.append({
      organizationId,
      kind: 'retention_changed',
      actor: admin.id,
      subject: projectId,
      data: { ...auditDataOf(project), before: auditDataOf(before) },
    });
    return project;
  });
  deps.forgetKeys();
  return retentionRecord(changed);
}

function auditDataOf({ retentionDays, zeroRetention }: Pick<Project, 'retentionDays' | 'zeroRetention'>) {
  return { retention_days: retentionDays, zero_retention: zeroRetention };
}
