import { flag, hidden, number, orNull, type RecordOf, table, text, word } from '../table.ts';
import type { ProjectRoleSource, Role } from './accounts.ts';

/** `dgrp_…`. A group of the organization's directory (SCIM). */
export const directoryGroupTable = table({
  id: text,
  organizationId: text,
  /** Unique in the organization without regard to case. */
  displayName: text,
  /** The directory's own id; unique in the organization. */
  externalId: orNull(text),
  createdAtMs: number,
  updatedAtMs: number,
  nameKey: hidden(text),
});
export type DirectoryGroup = RecordOf<typeof directoryGroupTable>;

/** A member of a group: a person whom the directory has, active or not. */
export interface GroupMember {
  readonly groupId: string;
  readonly userId: string;
  readonly email: string;
}

export interface DirectoryGroups {
  /** Throws `conflict` if the organization has a group of this name or external id. */
  create(
    organizationId: string,
    input: { readonly displayName: string; readonly externalId: string | null },
  ): Promise<DirectoryGroup>;
  get(organizationId: string, groupId: string): Promise<DirectoryGroup | null>;
  /** Oldest first. */
  list(
    organizationId: string,
    page: {
      readonly offset: number;
      readonly limit: number;
      readonly id?: string;
      readonly displayName?: string;
      readonly externalId?: string;
      /** Groups of this person only. */
      readonly userId?: string;
    },
  ): Promise<{ readonly total: number; readonly groups: readonly DirectoryGroup[] }>;
  /** Groups whose id, external id or name is one of the values. */
  findNamed(organizationId: string, values: readonly string[]): Promise<readonly DirectoryGroup[]>;
  /** Changes only the given fields. Throws `conflict` as `create` does. */
  update(
    organizationId: string,
    groupId: string,
    change: { readonly displayName?: string; readonly externalId?: string | null },
  ): Promise<void>;
  remove(organizationId: string, groupId: string): Promise<void>;

  /** Ordered by user. */
  listMembers(organizationId: string, groupIds: readonly string[]): Promise<readonly GroupMember[]>;
  countMembers(organizationId: string, groupIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Returns those of the users that the organization's directory has. */
  findUsers(organizationId: string, userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The users must be members, or people whom the directory has described. */
  addMembers(organizationId: string, groupId: string, userIds: readonly string[]): Promise<void>;
  removeMembers(organizationId: string, groupId: string, userIds: readonly string[]): Promise<void>;
  /** Returns which of the groups each of the users is in. */
  listGroupsOf(
    organizationId: string,
    groupIds: readonly string[],
    userIds: readonly string[],
  ): Promise<readonly { readonly groupId: string; readonly userId: string }[]>;
}

/** A group, or a value of the role claim, that gives a role. */
export const roleMappingTable = table({
  organizationId: hidden(text),
  position: hidden(number),
  groupValue: text,
  /** True if an admin confirmed that groups may be recognized by this name. */
  byName: flag,
  role: word<Exclude<Role, 'owner'>>(),
  /** null: the role in the organization. */
  projectId: orNull(text),
});
export type RoleMapping = RecordOf<typeof roleMappingTable>;

/** A member's roles by source. The role that applies is derived from them. */
export interface MemberRoles {
  readonly userId: string;
  readonly role: Role;
  /** Assigned by a person; null: it is `role`. */
  readonly ownRole: Role | null;
  /** From the claim of the last sign-in. */
  readonly claimRole: Role | null;
  /** From the directory's groups. */
  readonly groupRole: Role | null;
}

export interface RoleMap {
  list(organizationId: string): Promise<readonly RoleMapping[]>;
  replace(organizationId: string, mappings: readonly RoleMapping[]): Promise<void>;
  /** Returns the roles of those users that are members. */
  listMemberRoles(organizationId: string, userIds: readonly string[]): Promise<readonly MemberRoles[]>;
  /** Ids of members that have a role from this source, in the organization or in a project. */
  listMembersBySource(organizationId: string, source: GivenSource): Promise<readonly string[]>;
  /** Gives all of the users the same roles. */
  setMemberRoles(
    organizationId: string,
    userIds: readonly string[],
    roles: Omit<MemberRoles, 'userId'>,
  ): Promise<void>;
  /** Makes the roles of the last sign-in assigned ones: their claim is not read any more. */
  keepClaimRoles(organizationId: string): Promise<void>;
}

export type GivenSource = Exclude<ProjectRoleSource, 'assigned'>;
