import type { OrganizationOfUser } from '../../storage/storage.ts';

/**
 * Returns the organization that a sign-in opens: the one the person chose last, else their own, else the one they
 * joined first. Others can make a person a member, but cannot choose which organization that person starts in.
 */
export function homeOrganization(
  userId: string,
  organizations: readonly OrganizationOfUser[],
): OrganizationOfUser | null {
  const rank = ({ ownerId, kind }: OrganizationOfUser): number =>
    ownerId !== userId ? 2 : kind === 'personal' ? 0 : 1;
  const [home = null] = organizations.toSorted(
    (one, other) =>
      (other.chosenAtMs ?? 0) - (one.chosenAtMs ?? 0) ||
      rank(one) - rank(other) ||
      one.joinedAtMs - other.joinedAtMs,
  );
  return home;
}
