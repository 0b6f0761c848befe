import type { Admin } from '../access/caller.ts';
import { unknownProject } from '../access/find-project.ts';
import { requireRole } from '../access/require-role.ts';
import type { Storage } from '../storage/storage.ts';
import { type DeleteEventsDeps, startDeletingEvents } from './delete-events.ts';

export interface DeleteProjectDeps extends DeleteEventsDeps {
  readonly storage: DeleteEventsDeps['storage'] & Pick<Storage, 'members' | 'transaction'>;
  /** Makes every request read its key again, so that changes take effect immediately on this instance. */
  readonly forgetKeys: () => void;
}

/**
 * Deletes a project with its keys, policies, credentials and settings, all or nothing, and revokes its devices. Its
 * events are deleted afterwards. The audit log keeps its entries and records what was deleted.
 */
export async function deleteProject(deps: DeleteProjectDeps, admin: Admin, projectId: string): Promise<void> {
  const { organizationId } = admin;
  await requireRole(deps, admin, 'admin', { projectId });
  await deps.storage.transaction(async (repositories) => {
    const deleted = await repositories.deletions.removeProject(organizationId, projectId);
    if (deleted === null) throw unknownProject();
    await repositories.audit.append({
      organizationId,
      kind: 'project_deleted',
      actor: admin.id,
      subject: projectId,
      data: {
        keys_revoked: [...deleted.keys],
        devices_revoked: [...deleted.devices],
        enrollments_revoked: [...deleted.enrollments],
      },
    });
  });
  deps.forgetKeys();
  startDeletingEvents(deps, organizationId, projectId);
}
