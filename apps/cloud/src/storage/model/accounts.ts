import type {
  ExplicitSettings,
  FailMode,
  PlanName,
  StrictnessLevel,
  SubscriptionStatus,
  UseCase,
} from '@csg/shared/contract';
import { flag, hidden, jsonOr, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** `usr_…`. A user is also an account: the one that owns organizations, which share its plan. */
export const userTable = table({
  id: text,
  /** As entered by the user; unique without regard to case. */
  email: text,
  emailVerifiedAtMs: orNull(number),
  name: orNull(text),
  passwordHash: orNull(text),
  createdAtMs: number,
  /** The address in lower case, for the uniqueness constraint. */
  emailKey: hidden(text),
});
export type User = RecordOf<typeof userTable>;

export interface Users {
  /** Throws StorageError `email_taken`. */
  insert(input: {
    readonly email: string;
    readonly name?: string | null;
    readonly passwordHash?: string | null;
    readonly emailVerifiedAtMs?: number | null;
  }): Promise<User>;
  get(userId: string): Promise<User | null>;
  findByEmail(email: string): Promise<User | null>;
  /**
   * Locks the user until the transaction ends, over all instances: other callers wait. A count made under the lock
   * stays correct until then, for allowances.
   */
  lock(userId: string): Promise<void>;
  /**
   * Deletes a user and their sessions, links, factors and memberships. Throws `conflict` if they own an
   * organization. false: no such user.
   */
  remove(userId: string): Promise<boolean>;
  /** All users, oldest first. */
  list(): Promise<readonly User[]>;
  /** Changes only the given fields. Throws `not_found`, `email_taken`. */
  update(
    userId: string,
    change: {
      readonly email?: string;
      readonly name?: string | null;
      readonly passwordHash?: string | null;
      readonly emailVerifiedAtMs?: number | null;
    },
  ): Promise<User>;
}

export interface Erasures {
  /**
   * Erases the address, name, credentials and texts of a person from every table; the id stays. Runs in the
   * transaction of the rest of the erasure. false: no such person.
   */
  eraseUser(userId: string): Promise<boolean>;
}

const ORGANIZATION_KINDS = ['personal', 'team'] as const;
export type OrganizationKind = (typeof ORGANIZATION_KINDS)[number];

/** `org_…`. `ownerId` is its account, whose plan and limits it shares. */
export const organizationTable = table({
  id: text,
  kind: word<OrganizationKind>(),
  name: text,
  ownerId: text,
  createdAtMs: number,
  /** Addresses and ranges from which its keys may be used; empty: any. */
  allowedIps: jsonOr<readonly string[]>([]),
  /** Members without a second factor have no access until they set one up. */
  requiresSecondFactor: flag,
  /** Members other than the owner must sign in with single sign-on. */
  ssoOnly: flag,
  /** True for the operator's organization. */
  isOperator: flag,
});
export type Organization = RecordOf<typeof organizationTable>;

/** An organization as one of its members sees it. */
export interface OrganizationOfUser extends Organization {
  readonly role: Role;
  readonly ownerEmail: string;
  readonly joinedAtMs: number;
  /** When the member last selected the organization; null: never. */
  readonly chosenAtMs: number | null;
}

export interface Organizations {
  /** Throws `personal_exists` if the owner already has a personal organization. */
  insert(input: {
    readonly kind: OrganizationKind;
    readonly name: string;
    readonly ownerId: string;
    /** True for the operator's organization; there is at most one. */
    readonly isOperator?: boolean;
  }): Promise<Organization>;
  get(organizationId: string): Promise<Organization | null>;
  /** The organizations an account owns, oldest first. */
  listOwned(accountId: string): Promise<readonly Organization[]>;
  /** The organizations a user belongs to, oldest first. */
  listForUser(userId: string): Promise<readonly OrganizationOfUser[]>;
  /** Returns the organization whose owner runs the service. null: it was deleted or never created. */
  findOperator(): Promise<Organization | null>;
  /** Returns those of the ids that belong to existing organizations. */
  listExisting(organizationIds: readonly string[]): Promise<readonly string[]>;
  /** Locks the organization within a transaction: other callers wait until the transaction ends. */
  lock(organizationId: string): Promise<void>;
  rename(organizationId: string, name: string): Promise<void>;
  setRequiresSecondFactor(organizationId: string, required: boolean): Promise<void>;
  setSsoOnly(organizationId: string, ssoOnly: boolean): Promise<void>;
  setAllowedIps(organizationId: string, ranges: readonly string[]): Promise<void>;
  /** Moves the organization to another account; it stops being personal. false: it no longer belongs to `fromId`. */
  transfer(organizationId: string, fromId: string, toId: string): Promise<boolean>;
}

/** Highest role first. */
const ROLES = ['owner', 'admin', 'member', 'auditor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export const memberTable = table({
  organizationId: text,
  userId: text,
  role: word<Role>(),
  joinedAtMs: number,
  /** The role that a person assigned; null: it is `role`. */
  ownRole: orNull(word<Role>()),
  /** From the claim of the last sign-in, and from the directory's groups. The stronger one applies. */
  claimRole: orNull(word<Role>()),
  groupRole: orNull(word<Role>()),
  /** When the member last selected the organization; null: never. */
  chosenAtMs: hidden(orNull(number)),
  /** Sign-in to this organization; null: none since this is recorded. */
  lastSignInAtMs: orNull(number),
  lastSeenAtMs: orNull(number),
});
export type Member = RecordOf<typeof memberTable> &
  Pick<User, 'email' | 'name'> & {
    readonly hasSecondFactor: boolean;
    /** True if the organization's directory provisioned the membership. */
    readonly isFromDirectory: boolean;
    /** false: the user has not activated the account yet. */
    readonly hasSignedIn: boolean;
  };

/** A role in addition to the one in the organization: the higher of the two applies in the project. */
export const projectRoleTable = table({
  organizationId: text,
  projectId: text,
  userId: text,
  /** A person who assigned it, the claim of the last sign-in, or a group of the directory. */
  source: word<ProjectRoleSource>(),
  role: word<ProjectRoleName>(),
  /** Id of the member who assigned the role, or of the actor that changed the group. */
  givenBy: text,
  givenAtMs: number,
});
export type ProjectRole = RecordOf<typeof projectRoleTable>;
export type ProjectRoleSource = 'assigned' | 'claim' | 'groups';
export type ProjectRoleName = Extract<Role, 'admin' | 'member'>;

export interface ProjectRoles {
  /** Returns the strongest role of a member in a project of the organization; null: none. */
  getProjectRole(organizationId: string, userId: string, projectId: string): Promise<ProjectRoleName | null>;
  /** Lists all roles of the organization, of one person or of one project, oldest first. */
  listProjectRoles(
    organizationId: string,
    of?: { readonly userId?: string; readonly projectId?: string },
  ): Promise<readonly ProjectRole[]>;
  /** Replaces existing roles of the same source. People and projects must belong to the organization. */
  setProjectRoles(roles: readonly Omit<ProjectRole, 'givenAtMs'>[]): Promise<void>;
  /** Removes the roles that these people have from one source in a project; returns how many there were. */
  removeProjectRoles(
    organizationId: string,
    projectId: string,
    userIds: readonly string[],
    source: ProjectRoleSource,
  ): Promise<number>;
}

export interface Members extends ProjectRoles {
  /** Throws `already_member`. */
  add(organizationId: string, userId: string, role: Role): Promise<void>;
  get(organizationId: string, userId: string): Promise<Member | null>;
  list(organizationId: string): Promise<readonly Member[]>;
  /** Returns the same as `get` and locks the member until the transaction ends. */
  lock(organizationId: string, userId: string): Promise<Member | null>;
  /** Records that the person selected this organization. */
  choose(organizationId: string, userId: string): Promise<void>;
  /** Assigns a role, in place of those from a claim and from groups. false: no such member. */
  setRole(organizationId: string, userId: string, role: Role): Promise<boolean>;
  /** false: no such member. The caller must protect the owner's membership. */
  remove(organizationId: string, userId: string): Promise<boolean>;
}

/** The terms of an account's contract. null: the value of the plan applies. */
export const subscriptionTable = table({
  accountId: text,
  plan: word<PlanName>(),
  status: word<SubscriptionStatus>(),
  perMinute: orNull(number),
  monthly: orNull(number),
  spendCapUsd: orNull(number),
  /** True if overage past the quota is wanted and the plan has pay-as-you-go. */
  onDemand: flag,
  updatedAtMs: hidden(number),
});
export type Subscription = RecordOf<typeof subscriptionTable>;

export interface Subscriptions {
  get(accountId: string): Promise<Subscription | null>;
  /** Creates or changes it; absent fields keep their values (new: free, active, no overrides, onDemand true). */
  set(accountId: string, change: Partial<Omit<Subscription, 'accountId'>>): Promise<Subscription>;
}

/** Default retention of events, also applied to keys without a project. */
export const DEFAULT_RETENTION_DAYS = 90;

/** `proj_…` */
export const projectTable = table({
  id: text,
  organizationId: text,
  name: text,
  description: orNull(text),
  failMode: word<FailMode>(),
  useCase: word<UseCase>(),
  strictnessLevel: word<StrictnessLevel>(),
  zeroRetention: flag,
  /** Settings that the project has set explicitly. */
  settings: jsonOr<ExplicitSettings>({}),
  /** Older events are deleted; null: never. */
  retentionDays: orNull(number),
  createdAtMs: number,
});
export type Project = RecordOf<typeof projectTable>;

export type ProjectChange = Partial<Omit<Project, 'id' | 'organizationId' | 'createdAtMs'>>;

export interface Projects {
  /** Computes digests of texts with a key that is specific to the project. */
  maskDigests(projectId: string): (text: string) => Buffer;
  insert(
    organizationId: string,
    input: {
      readonly name: string;
      readonly description?: string | null;
      readonly failMode?: FailMode;
      readonly useCase?: UseCase;
      readonly strictnessLevel?: StrictnessLevel;
      readonly zeroRetention?: boolean;
      readonly settings?: ExplicitSettings;
    },
  ): Promise<Project>;
  get(organizationId: string, projectId: string): Promise<Project | null>;
  /** Returns the same as `get` and locks the project until the transaction ends. */
  lock(organizationId: string, projectId: string): Promise<Project | null>;
  /** Oldest first. */
  list(organizationId: string): Promise<readonly Project[]>;
  /** Throws `not_found`. */
  update(organizationId: string, projectId: string, change: ProjectChange): Promise<Project>;
  /** Counts over all organizations that the account owns, for the allowance of its plan. */
  countForAccount(accountId: string): Promise<number>;
  /** Replaces the one of the same name. The secret is sealed with the master key; only `findCredentials` opens it. */
  setCredential(
    organizationId: string,
    projectId: string,
    provider: string,
    secret: string,
    options?: { readonly name?: string | undefined; readonly models?: readonly string[] | undefined },
  ): Promise<void>;
  /** Returns the credentials of one provider, ordered by name. */
  findCredentials(
    organizationId: string,
    projectId: string,
    provider: string,
  ): Promise<readonly (Omit<StoredCredential, 'provider'> & { readonly secret: string })[]>;
  /** Ordered by provider and name. */
  listCredentials(organizationId: string, projectId: string): Promise<readonly StoredCredential[]>;
  removeCredential(
    organizationId: string,
    projectId: string,
    provider: string,
    name?: string,
  ): Promise<boolean>;
}

export interface StoredCredential {
  readonly provider: string;
  readonly name: string;
  /** The models that use it; the default credential serves all others. */
  readonly models: readonly string[];
}
