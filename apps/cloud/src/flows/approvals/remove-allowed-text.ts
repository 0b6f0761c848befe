import { CodedError } from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { requireRole } from '../../access/require-role.ts';
import type { AllowedText, Storage } from '../../storage/storage.ts';

/** Revokes the approval of a text, from the next request on. */
export async function removeAllowedText(
  deps: { readonly storage: Pick<Storage, 'transaction'> },
  admin: Admin,
  allowedTextId: string,
): Promise<AllowedText> {
  const { organizationId } = admin;
  return deps.storage.transaction(async (repositories) => {
    const removed = await repositories.allowedTexts.remove(organizationId, allowedTextId);
    await requireRole({ storage: repositories }, admin, 'admin', { projectId: removed?.projectId ?? null });
    if (removed === null) {
      throw new CodedError('not_found', { message: 'No such allowed text.' });
    }
    await repositories.audit.append({
      organizationId,
      kind: 'allowed_text_removed',
      actor: admin.id,
      subject: allowedTextId,
      data: { event_id: removed.eventId, project_id: removed.projectId },
    });
    return removed;
  });
}
