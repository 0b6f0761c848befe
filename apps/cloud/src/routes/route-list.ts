import type { FastifyInstance } from 'fastify';
import { registerAccount } from './account.ts';
import { registerAgent } from './agent.ts';
import { registerCodeHosting } from './code-hosting.ts';
import { registerOwnAccount } from './dashboard/account.ts';
import { registerAlerts } from './dashboard/alerts.ts';
import { registerAllowedTexts } from './dashboard/allowed-texts.ts';
import { registerAudit } from './dashboard/audit.ts';
import { registerDashboardDevices } from './dashboard/devices.ts';
import { registerDirectoryTokens } from './dashboard/directory-tokens.ts';
import { registerEmails } from './dashboard/emails.ts';
import { registerEndpoints } from './dashboard/endpoints.ts';
import { registerEnrollments } from './dashboard/enrollments.ts';
import { registerEvents } from './dashboard/events.ts';
import { registerEvidence } from './dashboard/evidence.ts';
import { registerHeldCalls } from './dashboard/held-calls.ts';
import { registerInvitations } from './dashboard/invitations.ts';
import { registerMcpServers } from './dashboard/mcp-servers.ts';
import { registerMembers } from './dashboard/members.ts';
import { registerNotificationTargets } from './dashboard/notification-targets.ts';
import { registerOrganizationTokens } from './dashboard/organization-tokens.ts';
import { registerOrganizations } from './dashboard/organizations.ts';
import { registerOverview } from './dashboard/overview.ts';
import { registerOwnInvitations } from './dashboard/own-invitations.ts';
import { registerPlayground } from './dashboard/playground.ts';
import { registerPolicies } from './dashboard/policies.ts';
import { registerPolicyWebhook } from './dashboard/policy-webhook.ts';
import { registerProjectRoles } from './dashboard/project-roles.ts';
import { registerProjectWebhooks } from './dashboard/project-webhooks.ts';
import { registerDashboardProjects } from './dashboard/projects.ts';
import { registerDashboardRequests } from './dashboard/requests.ts';
import { registerRetention } from './dashboard/retention.ts';
import { registerSecondFactor } from './dashboard/second-factor.ts';
import { registerTestRuns } from './dashboard/security-testing.ts';
import { registerSession } from './dashboard/session.ts';
import { registerSetUp } from './dashboard/set-up.ts';
import { registerSignUp } from './dashboard/sign-up.ts';
import { registerSingleSignOn } from './dashboard/single-sign-on.ts';
import { registerTools } from './dashboard/tools.ts';
import { registerUsage } from './dashboard/usage.ts';
import { registerUsageReport } from './dashboard/usage-report.ts';
import { registerWebhooks } from './dashboard/webhooks.ts';
import { registerDeviceChannel } from './device-channel.ts';
import { registerDevices } from './devices.ts';
import { registerGuard } from './guard.ts';
import { registerGuide } from './guide.ts';
import { registerKeys } from './keys.ts';
import { registerMcp } from './mcp.ts';
import { registerMcpGateway } from './mcp-gateway.ts';
import { byKey, byPerson } from './mount.ts';
import { registerProjects } from './projects.ts';
import { registerRelay, registerRelayOutside } from './relay.ts';
import { registerRequestable } from './requestable.ts';
import { registerRequests } from './requests.ts';
import { registerResponsesSocket } from './responses-socket.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import { registerScimGroups } from './scim/groups.ts';
import { registerServiceDescription } from './scim/service-description.ts';
import { registerScimUsers } from './scim/users.ts';
import { registerScrape } from './scrape.ts';
import { registerSecurity } from './security.ts';
import { registerSecurityTesting } from './security-testing.ts';
import { registerApiHealth, registerService } from './service.ts';
import { registerUnsupported, registerUnsupportedOutside } from './unsupported.ts';

/** Registers the routes of one resource, with only the dependencies that it names. */
export type RegisterRoutes = (app: FastifyInstance, deps: RouteDependencies) => void;

export interface RouteGroup {
  /** `typed`: JSON validated by a schema; `raw`: JSON with its bytes; `own`: the routes define their parsers. */
  readonly bodies: 'typed' | 'raw' | 'own';
  /** Applies if it is lower than the configured limit. */
  readonly maxBodyBytes?: number;
  readonly routes: readonly RegisterRoutes[];
}

/** Reports and requests of devices and pages are small; the playground's longest text fits. */
const SMALL_BODY_BYTES = 1_048_576;

/** Routes at the root, open to everyone. */
export const SERVICE_ROUTES: readonly RegisterRoutes[] = [registerService, registerGuide];

/** The developer API, at `/api/v1` and at `/api/v1/proxy`. */
export const DEVELOPER_ROUTES: readonly RouteGroup[] = [
  { bodies: 'own', routes: [registerApiHealth] },
  {
    bodies: 'typed',
    routes: [
      registerGuard,
      registerSecurity,
      registerScrape,
      registerAgent,
      registerMcp,
      registerKeys(byKey),
      registerProjects(byKey),
      registerAccount,
      registerSecurityTesting,
    ],
  },
  {
    bodies: 'typed',
    maxBodyBytes: SMALL_BODY_BYTES,
    routes: [
      ...[registerDevices, registerDeviceChannel],
      registerRequestable('exception', byKey),
      registerRequestable('tool_request', byKey),
      registerRequests,
    ],
  },
  { bodies: 'raw', routes: [registerRelay] },
  { bodies: 'raw', routes: [registerMcpGateway] },
  { bodies: 'own', routes: [registerCodeHosting, registerResponsesSocket, registerUnsupported] },
];

/** URLs of providers' own packages outside of `/api/v1`, at `/api`; without an alias. */
export const PROVIDER_ROUTES: readonly RouteGroup[] = [
  { bodies: 'raw', routes: [registerRelayOutside] },
  { bodies: 'own', routes: [registerUnsupportedOutside] },
];

/** Routes of the pages, at `/dashboard`. */
export const DASHBOARD_ROUTES: RouteGroup = {
  bodies: 'typed',
  maxBodyBytes: SMALL_BODY_BYTES,
  routes: [
    // Sign-in, people's own accounts, and membership.
    registerSession,
    registerSetUp,
    registerSignUp,
    registerSingleSignOn,
    registerOwnAccount,
    registerSecondFactor,
    registerOrganizations,
    registerOrganizationTokens,
    registerMembers,
    registerProjectRoles,
    registerInvitations,
    registerOwnInvitations,
    registerEmails,
    registerDirectoryTokens,
    // Everyday work.
    registerOverview,
    registerEvents,
    registerAlerts,
    registerKeys(byPerson),
    registerProjects(byPerson),
    registerDashboardProjects,
    registerMcpServers,
    registerPlayground,
    registerDashboardDevices,
    registerEnrollments,
    registerRequestable('exception', byPerson),
    registerRequestable('tool_request', byPerson),
    registerDashboardRequests,
    registerAllowedTexts,
    registerTools,
    registerTestRuns,
    // Policies, notifications and retention.
    registerPolicies,
    registerAudit,
    registerEvidence,
    registerRetention,
    registerHeldCalls,
    registerUsage,
    registerUsageReport,
    registerWebhooks,
    registerProjectWebhooks,
    registerEndpoints,
    registerNotificationTargets,
    registerPolicyWebhook,
  ],
};

/** SCIM 2.0 at `/scim/v2`: an identity provider provisions and removes members. */
export const DIRECTORY_ROUTES: readonly RegisterRoutes[] = [
  registerScimUsers,
  registerScimGroups,
  registerServiceDescription,
];
