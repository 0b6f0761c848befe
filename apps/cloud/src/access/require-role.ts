import { CodedError } from '@csg/shared/contract';
import type { Repositories, Role, Storage } from '../storage/storage.ts';

/** An auditor is a viewer who may also export: a matter of the routes that say so. */
const RANK: Readonly<Record<Role, number>> = { owner: 3, admin: 2, member: 1, auditor: 0, viewer: 0 };

export function hasRole(role: Role, least: Role): boolean {
  return RANK[role] >= RANK[least];
}

/** Whose role is asked for: a caller, an admin, the holder of a key. */
interface Actor {
  readonly organizationId: string;
  /** Null: no person is known. */
  readonly userId: string | null;
}

/** Holds the person behind a key to a role in its organization. Keys of the command line act for the operator. */
export async function requireRole(
  deps: { readonly storage: Pick<Storage, 'members'> },
  principal: Actor,
  least: Role,
  message?: string,
): Promise<void> {
  if (principal.userId === null) return;
  const member = await deps.storage.members.get(principal.organizationId, principal.userId);
  if (member === null || !hasRole(member.role, least)) {
    throw new CodedError('insufficient_role', {
      ...(message === undefined ? {} : { message }),
      fields: { required_role: least },
    });
  }
}

/**
 * The same within a transaction, where something is made that the person's removal would have to take away again:
 * who removes them meanwhile waits, and then finds it.
 */
export async function requireRoleForUpdate(
  repositories: Pick<Repositories, 'members'>,
  principal: Actor,
  least: Role,
): Promise<void> {
  if (principal.userId !== null) {
    await repositories.members.hold(principal.organizationId, principal.userId);
  }
  await requireRole({ storage: repositories }, principal, least);
}
