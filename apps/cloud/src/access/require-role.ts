import { CodedError } from '@csg/shared/contract';
import type { Repositories, Role, Storage } from '../storage/storage.ts';

/** An auditor is a viewer who may also export: a matter of the routes that say so. */
const RANK: Readonly<Record<Role, number>> = { owner: 3, admin: 2, member: 1, auditor: 0, viewer: 0 };

export function hasRole(role: Role, least: Role): boolean {
  return RANK[role] >= RANK[least];
}

/** The role in the organization, or a higher one that the member has in the project. */
export function higherRole(role: Role, inProject: Role | null | undefined): Role {
  return inProject && RANK[inProject] > RANK[role] ? inProject : role;
}

/** Whose role is asked for: a caller, an admin, the holder of a key. */
interface Actor {
  readonly organizationId: string;
  /** Null: no person is known. */
  readonly userId: string | null;
}

interface RoleOptions {
  /** What it is about: a role in this project will do. null: all of the organization. */
  readonly projectId?: string | null;
  readonly message?: string;
}

/**
 * Holds the person behind a key to a role in its organization, or in the project that it is about. Keys of the command
 * line act for the operator.
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
 * The same within a transaction, where something is made that the person's removal would have to take away again:
 * who removes them meanwhile waits, and then finds it.
 */
export async function requireRoleForUpdate(
  repositories: Pick<Repositories, 'members'>,
  principal: Actor,
  least: Role,
  options: RoleOptions = {},
): Promise<void> {
  if (principal.userId !== null) {
    await repositories.members.hold(principal.organizationId, principal.userId);
  }
  await requireRole({ storage: repositories }, principal, least, options);
}
