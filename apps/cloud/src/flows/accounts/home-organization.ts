import type { OrganizationOfUser } from '../../storage/storage.ts';

/**
 * Where a person lands: in the organization they last chose themselves, else in their own, else in the one they
 * joined first. Others can make somebody a member; where that person works is not theirs to say.
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
