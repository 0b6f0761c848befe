import type {
  ExplicitSettings,
  FailMode,
  PlanName,
  StrictnessLevel,
  SubscriptionStatus,
  UseCase,
} from '@csg/shared/contract';
import { flag, hidden, jsonOr, number, orNull, type RecordOf, table, text, word } from '../table.ts';
import type { WebhookRoute } from './webhooks.ts';

/** `usr_…`. A user is also an account: the one who owns organizations and whose plan they share. */
export const userTable = table({
  id: text,
  /** As written by its owner; unique without regard to case. */
  email: text,
  emailVerifiedAtMs: orNull(number),
  name: orNull(text),
  passwordHash: orNull(text),
  createdAtMs: number,
  /** Lower case: what makes it unique. */
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
   * Until the transaction ends, others that hold the same user wait, over all instances. What is counted after it
   * stays true until then: for allowances.
   */
  hold(userId: string): Promise<void>;
  /**
   * Forgets a person: with them go sessions, links, factors and memberships. Throws `conflict` where they own an
   * organization. false: no such user.
   */
  remove(userId: string): Promise<boolean>;
  /** All users, oldest first. */
  list(): Promise<readonly User[]>;
  /** Only the fields given change. Throws `not_found`, `email_taken`. */
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
   * Address, name, ways to sign in and words of a person, out of every table; the id stays. In a transaction with what
   * else ends. false: no such person.
   */
  eraseUser(userId: string): Promise<boolean>;
}

const ORGANIZATION_KINDS = ['personal', 'team'] as const;
export type OrganizationKind = (typeof ORGANIZATION_KINDS)[number];

/** `org_…`. Its account, whose plan and limits it shares, is `ownerId`. */
export const organizationTable = table({
  id: text,
  kind: word<OrganizationKind>(),
  name: text,
  ownerId: text,
  createdAtMs: number,
  /** Addresses and ranges its keys may be used from; empty: any. */
  allowedIps: jsonOr<readonly string[]>([]),
  /** Members without a second factor see nothing of it until they have one. */
  requiresSecondFactor: flag,
  /** Members but the owner come in by single sign-on alone. */
  ssoOnly: flag,
  /** Whether it is the operator's. */
  isOperator: flag,
});
export type Organization = RecordOf<typeof organizationTable>;

/** An organization as one of its members sees it. */
export interface OrganizationOfUser extends Organization {
  readonly role: Role;
  readonly ownerEmail: string;
  readonly joinedAtMs: number;
  /** When they last chose it themselves; null: never. */
  readonly chosenAtMs: number | null;
}

export interface Organizations {
  /** Throws `personal_exists` where the owner already has a personal organization. */
  insert(input: {
    readonly kind: OrganizationKind;
    readonly name: string;
    readonly ownerId: string;
    /** The operator's; there is at most one. */
    readonly isOperator?: boolean;
  }): Promise<Organization>;
  get(organizationId: string): Promise<Organization | null>;
  /** The organizations an account owns, oldest first. */
  listOwned(accountId: string): Promise<readonly Organization[]>;
  /** The organizations a user belongs to, oldest first. */
  listForUser(userId: string): Promise<readonly OrganizationOfUser[]>;
  /** The one whose owner runs the service. null: it was deleted, or never made. */
  findOperator(): Promise<Organization | null>;
  /** Of these ids, those of organizations that there are. */
  listExisting(organizationIds: readonly string[]): Promise<readonly string[]>;
  /** Within a transaction: others who hold it wait until this transaction ends. */
  hold(organizationId: string): Promise<void>;
  rename(organizationId: string, name: string): Promise<void>;
  setRequiresSecondFactor(organizationId: string, required: boolean): Promise<void>;
  setSsoOnly(organizationId: string, ssoOnly: boolean): Promise<void>;
  setAllowedIps(organizationId: string, ranges: readonly string[]): Promise<void>;
  /** Another account's from here on; no longer a personal one. false: it is not `fromId`'s any more. */
  transfer(organizationId: string, fromId: string, toId: string): Promise<boolean>;
}

/** Strongest first. */
const ROLES = ['owner', 'admin', 'member', 'auditor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export const memberTable = table({
  organizationId: text,
  userId: text,
  role: word<Role>(),
  joinedAtMs: number,
  /** When they last chose it themselves; null: never. */
  chosenAtMs: hidden(orNull(number)),
  /** In this organization; null: not since this is recorded. */
  lastSignInAtMs: orNull(number),
  lastSeenAtMs: orNull(number),
});
export type Member = RecordOf<typeof memberTable> &
  Pick<User, 'email' | 'name'> & {
    readonly hasSecondFactor: boolean;
    /** The organization's directory made them a member. */
    readonly isFromDirectory: boolean;
    /** false: its owner has not opened the account yet. */
    readonly hasSignedIn: boolean;
  };

/** Beside the role in the organization: of the two, the higher one counts in the project. */
export const projectRoleTable = table({
  organizationId: text,
  projectId: text,
  userId: text,
  role: word<ProjectRoleName>(),
  /** Id of the person. */
  givenBy: text,
  givenAtMs: number,
});
export type ProjectRole = RecordOf<typeof projectRoleTable>;
export type ProjectRoleName = Extract<Role, 'admin' | 'member'>;

export interface ProjectRoles {
  /** Of a member in a project of the organization; null: none. */
  getProjectRole(organizationId: string, userId: string, projectId: string): Promise<ProjectRoleName | null>;
  /** All of the organization, of one person or of one project, oldest first. */
  listProjectRoles(
    organizationId: string,
    of?: { readonly userId?: string; readonly projectId?: string },
  ): Promise<readonly ProjectRole[]>;
  /** Replaces the one that there is. Person and project have to be of the organization. */
  setProjectRole(role: Omit<ProjectRole, 'givenAtMs'>): Promise<void>;
  /** false: there was none. */
  removeProjectRole(organizationId: string, userId: string, projectId: string): Promise<boolean>;
}

export interface Members extends ProjectRoles {
  /** Throws `already_member`. */
  add(organizationId: string, userId: string, role: Role): Promise<void>;
  get(organizationId: string, userId: string): Promise<Member | null>;
  list(organizationId: string): Promise<readonly Member[]>;
  /** The same as `get`; until the transaction ends, others that hold the same member wait. */
  hold(organizationId: string, userId: string): Promise<Member | null>;
  /** Notes that the person chose this organization themselves. */
  choose(organizationId: string, userId: string): Promise<void>;
  /** false: no such member. */
  setRole(organizationId: string, userId: string, role: Role): Promise<boolean>;
  /** false: no such member. The owner's place is the caller's to protect. */
  remove(organizationId: string, userId: string): Promise<boolean>;
}

/** What an account's contract says. Null: the plan's own value stands. */
export const subscriptionTable = table({
  accountId: text,
  plan: word<PlanName>(),
  status: word<SubscriptionStatus>(),
  perMinute: orNull(number),
  monthly: orNull(number),
  spendCapUsd: orNull(number),
  /** Whether overage past the quota is wanted where the plan has pay-as-you-go. */
  onDemand: flag,
  updatedAtMs: hidden(number),
});
export type Subscription = RecordOf<typeof subscriptionTable>;

export interface Subscriptions {
  get(accountId: string): Promise<Subscription | null>;
  /** Makes or changes it; absent fields keep what they are (new: free, active, no overrides, onDemand true). */
  set(accountId: string, change: Partial<Omit<Subscription, 'accountId'>>): Promise<Subscription>;
}

/** How long events are kept by default, and of keys without a project. */
export const DEFAULT_RETENTION_DAYS = 90;

/** The customer's endpoint that takes part in decisions. */
export interface PolicyWebhook {
  readonly url: string;
  readonly isEnabled: boolean;
  /** What happens when it gives no answer. */
  readonly failMode: FailMode;
  readonly timeoutMs: number;
}

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
  /** Those that it has set itself. */
  settings: jsonOr<ExplicitSettings>({}),
  webhookEnabled: flag,
  /** Events that its first webhook is sent; null: all. */
  webhookEvents: jsonOr<readonly string[] | null>(null),
  /** Its other webhooks that are on. */
  furtherWebhooks: jsonOr<readonly WebhookRoute[]>([]),
  /** Events older than that are deleted; null: never. */
  retentionDays: orNull(number),
  createdAtMs: number,
  /** Sealed, in base64: such addresses hold tokens. */
  webhookUrl: hidden(orNull(text)),
  /** PolicyWebhook as JSON; sealed, in base64. */
  policyWebhook: hidden(orNull(text)),
});
export type Project = RecordOf<typeof projectTable> & {
  readonly webhookUrl: string | null;
  readonly policyWebhook: PolicyWebhook | null;
};

export type ProjectChange = Partial<
  Omit<Project, 'id' | 'organizationId' | 'createdAtMs' | 'furtherWebhooks'>
>;

export interface Projects {
  /** Digests of texts, by a key that is the project's own. */
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
  /** The same as `get`; until the transaction ends, others that hold the same project wait. */
  hold(organizationId: string, projectId: string): Promise<Project | null>;
  /** Oldest first. */
  list(organizationId: string): Promise<readonly Project[]>;
  /** Throws `not_found`. */
  update(organizationId: string, projectId: string, change: ProjectChange): Promise<Project>;
  /** Over all organizations the account owns: what its plan's allowance is held against. */
  countForAccount(accountId: string): Promise<number>;
  /** Replaces the one of the same name. The secret is sealed with the master key; only `findCredentials` opens it. */
  setCredential(
    organizationId: string,
    projectId: string,
    provider: string,
    secret: string,
    options?: { readonly name?: string | undefined; readonly models?: readonly string[] | undefined },
  ): Promise<void>;
  /** Of one provider, in the order of their names. */
  findCredentials(
    organizationId: string,
    projectId: string,
    provider: string,
  ): Promise<readonly (Omit<StoredCredential, 'provider'> & { readonly secret: string })[]>;
  /** In the order of providers and names. */
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
  /** Models it is meant for; the default one serves all others. */
  readonly models: readonly string[];
}
