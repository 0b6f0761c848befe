import { accounts } from './001-accounts.ts';
import { projectsAndKeys } from './002-projects-and-keys.ts';
import { policiesAndDevices } from './003-policies-and-devices.ts';
import { record } from './004-record.ts';
import { idempotency } from './005-idempotency.ts';
import { approvals } from './006-approvals.ts';
import { people } from './007-people.ts';
import { notices } from './008-notices.ts';
import { agents } from './009-agents.ts';
import { insight } from './010-insight.ts';
import { scrapeJobs } from './011-scrape-jobs.ts';
import { policyWebhook } from './012-policy-webhook.ts';
import { secondFactorRule } from './013-second-factor-rule.ts';
import { foundEvents } from './014-found-events.ts';
import { masterKeys } from './015-master-keys.ts';
import { projectSettings } from './016-project-settings.ts';
import { idempotencyUsage } from './017-idempotency-usage.ts';
import { membershipsByChoice } from './019-memberships-by-choice.ts';
import { operatorOrganization } from './020-operator-organization.ts';
import { evaluatedBy } from './021-judged-by.ts';
import { auditChanges } from './022-audit-changes.ts';
import { decidedBy } from './023-decided-by.ts';
import { savedFilters } from './024-saved-filters.ts';
import { organizationTokens } from './025-organization-tokens.ts';
import { toolReviewArguments } from './026-tool-review-arguments.ts';
import { namedCredentials } from './027-named-credentials.ts';
import { keyLimits } from './028-key-limits.ts';
import { allowedTexts } from './029-allowed-texts.ts';
import { singleSignOn } from './030-single-sign-on.ts';
import { furtherWebhooks } from './031-further-webhooks.ts';
import { notifications } from './032-notifications.ts';
import { mcpServers } from './033-mcp-servers.ts';
import { requestEvents } from './034-request-events.ts';
import { webhookAttempts } from './035-webhook-attempts.ts';
import { policyVersions } from './036-policy-versions.ts';
import { usageDetails } from './037-usage-details.ts';
import { pendingRequests } from './038-pending-requests.ts';
import { conversationNotes } from './039-conversation-notes.ts';
import { auditTimestamps } from './040-audit-timestamps.ts';
import { costsOfBacklogs } from './041-costs-of-backlogs.ts';
import { deviceRoutes } from './042-device-routes.ts';
import { memberSignIns } from './043-member-sign-ins.ts';
import { webhookResponses } from './044-webhook-responses.ts';
import { projectRoles } from './045-project-roles.ts';
import { deviceAdministrators } from './046-device-administrators.ts';
import { eventsByConfidence } from './047-events-by-confidence.ts';
import { auditVerifications } from './048-audit-verifications.ts';
import { scrapeLanes } from './049-scrape-lanes.ts';
import { costsOfLists } from './050-costs-of-lists.ts';
import { emailTrust } from './051-email-trust.ts';
import { nextPages } from './052-next-pages.ts';
import { requests } from './053-requests.ts';
import { indexesOfReferences } from './054-indexes-of-references.ts';
import { directoryGroups } from './055-directory-groups.ts';
import { endpoints } from './056-endpoints.ts';
import { auditFilters } from './058-audit-filters.ts';
import { auditAddressAge } from './062-audit-address-age.ts';
import { approvalsByScope } from './063-approvals-by-scope.ts';
import { labels } from './070-labels.ts';
import { eventAlerts } from './071-event-alerts.ts';
import type { Migration } from './migration.ts';

/** In order; the version of the schema is the number of migrations that have run. */
export const MIGRATIONS: readonly Migration[] = [
  accounts,
  projectsAndKeys,
  policiesAndDevices,
  record,
  idempotency,
  approvals,
  people,
  notices,
  agents,
  insight,
  scrapeJobs,
  policyWebhook,
  secondFactorRule,
  foundEvents,
  masterKeys,
  projectSettings,
  idempotencyUsage,
  membershipsByChoice,
  operatorOrganization,
  evaluatedBy,
  auditChanges,
  decidedBy,
  savedFilters,
  organizationTokens,
  toolReviewArguments,
  namedCredentials,
  keyLimits,
  allowedTexts,
  singleSignOn,
  furtherWebhooks,
  notifications,
  mcpServers,
  requestEvents,
  webhookAttempts,
  policyVersions,
  usageDetails,
  pendingRequests,
  conversationNotes,
  auditTimestamps,
  costsOfBacklogs,
  deviceRoutes,
  memberSignIns,
  webhookResponses,
  projectRoles,
  deviceAdministrators,
  eventsByConfidence,
  auditVerifications,
  scrapeLanes,
  costsOfLists,
  emailTrust,
  nextPages,
  requests,
  indexesOfReferences,
  directoryGroups,
  auditFilters,
  endpoints,
  auditAddressAge,
  approvalsByScope,
  labels,
  eventAlerts,
];
