import { CodedError } from '@csg/shared/contract';
import type { Repositories, Role, Storage } from '../storage/storage.ts';

/** An auditor is a viewer who may also use the export routes, which check for that role. */
const RANK: Readonly<Record<Role, number>> = { owner: 3, admin: 2, member: 1, auditor: 0, viewer: 0 };

export function hasRole(role: Role, least: Role): boolean {
  return RANK[role] >= RANK[least];
}

/** Returns the role in the organization, or the member's role in the project if that is higher. */
export function higherRole(role: Role, inProject: Role | null | undefined): Role {
  return inProject && RANK[inProject] > RANK[role] ? inProject : role;
}

/** The party whose role is checked: a caller, an admin, or the holder of a key. */
interface Actor {
  readonly organizationId: string;
  /** Null if no person is known. */
  readonly userId: string | null;
}

interface RoleOptions {
  /** The project concerned, in which a role is sufficient; null: the whole organization. */
  readonly projectId?: string | null;
  readonly message?: string;
}

/**
 * Requires that the person behind a key has a role in its organization, or in the project concerned. Keys created at
 * the command line act for the operator.
 */
export async function requireRole(
  deps: { readonly storage: Pick<Storage, 'members'> },
  { organizationId, userId }: Actor,
  least: Role,
  { projectId = null, message }: RoleOptions = {},
): Promise<void> {
  if (userId === null) return;
  const { members } = deps.storage;
  const member = await members.get(organizationId, userId);
  if (member !== null) {
    if (hasRole(member.role, least)) return;
    const inProject =
      projectId === null ? null : await members.getProjectRole(organizationId, userId, projectId);
    if (inProject !== null && hasRole(inProject, least)) return;
  }
  throw new CodedError('insufficient_role', {
    ...(message === undefined ? {} : { message }),
    fields: { required_role: least },
  });
}

/**
 * Requires the role within a transaction that creates something which the person's removal would also have to remove: a
 * concurrent removal waits, and then finds it.
 */
export async function requireRoleForUpdate(
  repositories: Pick<Repositories, 'members'>,
  principal: Actor,
  least: Role,
  options: RoleOptions = {},
): Promise<void> {
  if (principal.userId !== null) {
    await repositories.members.lock(principal.organizationId, principal.userId);
  }
  await requireRole({ storage: repositories }, principal, least, options);
}
