import type { SqlDialect } from '../engines/sql-dialect.ts';
import type { Repositories } from '../storage.ts';
import { createAccountLinks } from './account-links.ts';
import { createAllowedTexts } from './allowed-texts.ts';
import { createAuditVerifications } from './audit-verifications.ts';
import { createCodeRepositories } from './code-repositories.ts';
import { createDeletions } from './deletions.ts';
import { createDeliveries } from './deliveries.ts';
import { createDevices } from './devices.ts';
import { createDirectory } from './directory.ts';
import { createDirectoryGroups } from './directory-groups.ts';
import { createEmails } from './emails.ts';
import { createEndpoints } from './endpoints.ts';
import { createEnrollments } from './enrollments.ts';
import { createErasures } from './erasures.ts';
import { createEventAlerts } from './event-alerts.ts';
import { createFleetSettings } from './fleet-settings.ts';
import { createResponseStore, type IdempotencyDeps } from './idempotency.ts';
import { createInvitations } from './invitations.ts';
import { createKeys, type KeysDependencies } from './keys.ts';
import { createKnownBrowsers } from './known-browsers.ts';
import { createMcpServers } from './mcp-servers.ts';
import { createMcpTools } from './mcp-tools.ts';
import { createMembers } from './members.ts';
import { createNotifications } from './notifications.ts';
import { createOrganizationTokens } from './organization-tokens.ts';
import { createOrganizations } from './organizations.ts';
import { createPolicies } from './policies.ts';
import { createProjects } from './projects.ts';
import { createRequests } from './requests.ts';
import { createRoleMap } from './role-map.ts';
import { createSavedFilters } from './saved-filters.ts';
import { createScrapeJobs } from './scrape-jobs.ts';
import { createSecondFactors } from './second-factors.ts';
import { createSecurityTestRuns } from './security-test-runs.ts';
import { createSessions } from './sessions.ts';
import { createSingleSignOn } from './single-sign-on.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createToolLists } from './tool-lists.ts';
import { createUsageAlerts } from './usage-alerts.ts';
import { createUsageDetails } from './usage-details.ts';
import { createUsers } from './users.ts';

export interface RepositoriesDependencies extends KeysDependencies, IdempotencyDeps {}

/** Creates the repositories that work both on the database and in a transaction. */
export function createRepositories(
  deps: RepositoriesDependencies,
  dialect: SqlDialect,
): Omit<Repositories, 'audit'> {
  return {
    users: createUsers(deps),
    sessions: createSessions(deps),
    accountLinks: createAccountLinks(deps),
    knownBrowsers: createKnownBrowsers(deps),
    secondFactors: createSecondFactors(deps),
    invitations: createInvitations(deps),
    directory: createDirectory(deps),
    directoryGroups: createDirectoryGroups(deps),
    roleMap: createRoleMap(deps),
    singleSignOn: createSingleSignOn(deps),
    emails: createEmails(deps),
    organizations: createOrganizations(deps),
    members: createMembers(deps),
    subscriptions: createSubscriptions(deps),
    projects: createProjects(deps),
    keys: createKeys(deps),
    policies: createPolicies(deps),
    endpoints: createEndpoints(deps),
    deliveries: createDeliveries(deps, dialect),
    notifications: createNotifications(deps),
    erasures: createErasures(deps),
    deletions: createDeletions(deps, dialect),
    usageAlerts: createUsageAlerts(deps),
    usageDetails: createUsageDetails(deps),
    enrollments: createEnrollments(deps),
    devices: createDevices(deps),
    fleetSettings: createFleetSettings(deps),
    requests: createRequests(deps),
    toolLists: createToolLists(deps),
    codeRepositories: createCodeRepositories(deps),
    allowedTexts: createAllowedTexts(deps),
    securityTestRuns: createSecurityTestRuns(deps),
    mcpServers: createMcpServers(deps),
    mcpTools: createMcpTools(deps),
    savedFilters: createSavedFilters(deps),
    eventAlerts: createEventAlerts(deps),
    auditVerifications: createAuditVerifications(deps),
    organizationTokens: createOrganizationTokens(deps),
    scrapeJobs: createScrapeJobs(deps, dialect),
    idempotency: createResponseStore(deps),
  };
}
