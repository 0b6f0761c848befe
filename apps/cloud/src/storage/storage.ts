import type { AccountLinks } from './model/account-links.ts';
import type { Erasures, Members, Organizations, Projects, Subscriptions, Users } from './model/accounts.ts';
import type { AgentCalls, SessionTaints, ToolListStore } from './model/agents.ts';
import type { AllowedTexts } from './model/allowed-texts.ts';
import type { Audit } from './model/audit.ts';
import type { AuditVerifications } from './model/audit-verifications.ts';
import type { CodeRepositories } from './model/code-repositories.ts';
import type { ConversationNotes } from './model/conversation-notes.ts';
import type { Deletions } from './model/deletions.ts';
import type { Deliveries } from './model/deliveries.ts';
import type { Directory } from './model/directory.ts';
import type { DirectoryGroups, RoleMap } from './model/directory-groups.ts';
import type { Emails } from './model/emails.ts';
import type { Endpoints } from './model/endpoints.ts';
import type { EventAlerts } from './model/event-alerts.ts';
import type { Decisions, Events } from './model/events.ts';
import type { Devices, Enrollments } from './model/fleet.ts';
import type { FleetSettingsStore } from './model/fleet-settings.ts';
import type { Idempotency } from './model/idempotency.ts';
import type { EventCounts, SecurityTestRuns } from './model/insight.ts';
import type { Invitations } from './model/invitations.ts';
import type { Keys } from './model/keys.ts';
import type { MasterKeyStore } from './model/master-keys.ts';
import type { McpServers, McpTools } from './model/mcp-servers.ts';
import type { Notifications } from './model/notifications.ts';
import type { OrganizationTokens } from './model/organization-tokens.ts';
import type { Policies } from './model/policies.ts';
import type { Requests } from './model/requests.ts';
import type { SavedFilters } from './model/saved-filters.ts';
import type { ScrapeJobs } from './model/scrape-jobs.ts';
import type { Sessions } from './model/sessions.ts';
import type { KnownBrowsers, SecondFactors } from './model/sign-in.ts';
import type { SingleSignOn } from './model/single-sign-on.ts';
import type { Usage } from './model/usage.ts';
import type { UsageAlerts } from './model/usage-alerts.ts';
import type { UsageDetails } from './model/usage-details.ts';

export type * from './model/account-links.ts';
export type * from './model/accounts.ts';
export type * from './model/agents.ts';
export type * from './model/allowed-texts.ts';
export type * from './model/audit.ts';
export type * from './model/audit-verifications.ts';
export type * from './model/code-repositories.ts';
export type * from './model/conversation-notes.ts';
export type * from './model/deletions.ts';
export type * from './model/deliveries.ts';
export type * from './model/directory.ts';
export type * from './model/directory-groups.ts';
export type * from './model/emails.ts';
export type * from './model/endpoints.ts';
export type * from './model/event-alerts.ts';
export type * from './model/events.ts';
export type * from './model/fleet.ts';
export type * from './model/fleet-settings.ts';
export type * from './model/idempotency.ts';
export type * from './model/insight.ts';
export type * from './model/invitations.ts';
export type * from './model/keys.ts';
export type * from './model/master-keys.ts';
export type * from './model/mcp-servers.ts';
export type * from './model/notifications.ts';
export type * from './model/organization-tokens.ts';
export type * from './model/policies.ts';
export type * from './model/requests.ts';
export type * from './model/saved-filters.ts';
export type * from './model/scrape-jobs.ts';
export type * from './model/sessions.ts';
export type * from './model/sign-in.ts';
export type * from './model/single-sign-on.ts';
export type * from './model/usage.ts';
export type * from './model/usage-alerts.ts';
export type * from './model/usage-details.ts';

/** Repositories that can take part in a transaction. */
export interface Repositories {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly accountLinks: AccountLinks;
  readonly knownBrowsers: KnownBrowsers;
  readonly secondFactors: SecondFactors;
  readonly invitations: Invitations;
  readonly directory: Directory;
  readonly directoryGroups: DirectoryGroups;
  readonly roleMap: RoleMap;
  readonly singleSignOn: SingleSignOn;
  readonly emails: Emails;
  readonly organizations: Organizations;
  readonly members: Members;
  readonly subscriptions: Subscriptions;
  readonly projects: Projects;
  readonly keys: Keys;
  readonly policies: Policies;
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly notifications: Notifications;
  readonly erasures: Erasures;
  readonly deletions: Deletions;
  readonly usageAlerts: UsageAlerts;
  readonly usageDetails: UsageDetails;
  readonly enrollments: Enrollments;
  readonly devices: Devices;
  readonly fleetSettings: FleetSettingsStore;
  readonly requests: Requests;
  readonly toolLists: ToolListStore;
  readonly codeRepositories: CodeRepositories;
  readonly allowedTexts: AllowedTexts;
  readonly securityTestRuns: SecurityTestRuns;
  readonly mcpServers: McpServers;
  readonly mcpTools: McpTools;
  readonly savedFilters: SavedFilters;
  readonly eventAlerts: EventAlerts;
  readonly auditVerifications: AuditVerifications;
  readonly organizationTokens: OrganizationTokens;
  readonly scrapeJobs: Pick<ScrapeJobs, 'insert'>;
  readonly idempotency: Pick<Idempotency, 'store'>;
  readonly audit: Pick<Audit, 'append' | 'appendAll'>;
}

export interface Storage extends Repositories {
  readonly audit: Audit;
  readonly scrapeJobs: ScrapeJobs;
  readonly agentCalls: AgentCalls;
  readonly sessionTaints: SessionTaints;
  readonly conversationNotes: ConversationNotes;
  readonly usage: Usage;
  readonly events: Events;
  readonly eventCounts: EventCounts;
  readonly decisions: Decisions;
  readonly idempotency: Idempotency;
  readonly masterKeys: MasterKeyStore;
  /** 32 bytes from which the key that signs device configurations is derived. */
  readonly deviceSeed: Buffer;
  /**
   * Commits everything or nothing. If transactions deadlock, one of them is rolled back and runs again from its
   * beginning. Inside, use only the repositories passed in: others would wait for this transaction to end. Keep it
   * short, because other writers wait meanwhile.
   */
  transaction<T>(work: (repositories: Repositories) => Promise<T>): Promise<T>;
  /**
   * Writes a backup into a new folder while the service runs: the database, and the checkpoints of which it has rows.
   */
  backUp(folder: string): Promise<void>;
  /** Writes a meaningless value. Rejects with StorageError if nothing can be stored or the disk is nearly full. */
  ping(): Promise<void>;
  /** Resolves once all pending changes are committed. */
  flush(): Promise<void>;
  /** Flushes, writes checkpoints, closes. */
  close(): Promise<void>;
}

export type StorageLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

export interface StorageOptions {
  /** `postgres://…`; absent: SQLite in `dataDir`. */
  readonly databaseUrl?: string;
  /** How long requests wait for PostgreSQL since the connection was lost. Default: 5 seconds. */
  readonly databaseWaitMs?: number;
  /** Timeout of PostgreSQL queries in a request. Default: 30 seconds. */
  readonly databaseTimeoutMs?: number;
  /** Contains the SQLite file and `audit-checkpoints.jsonl`; created if absent, mode 0700. */
  readonly dataDir: string;
  /** 32 bytes or more, stored outside the database. */
  readonly masterKey: Buffer;
  /** Other keys that may have sealed values: former keys, or the next one. */
  readonly previousKeys?: readonly Buffer[];
  /** Maximum size of an organization's responses stored for repeated requests in 24 hours. Default: 256 MiB. */
  readonly idempotencyBudgetBytes?: number;
  readonly now: () => number;
  readonly log?: StorageLog;
}
