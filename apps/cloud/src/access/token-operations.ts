import type { TokenScope } from '@csg/shared/contract';

type Area =
  | 'events'
  | 'audit'
  | 'usage'
  | 'members'
  | 'policies'
  | 'projects'
  | 'webhooks'
  | 'devices'
  | 'approvals';

/**
 * Operations that organization tokens may call, by operation id. All others are forbidden: secrets of keys and tokens,
 * provider credentials, the account, other organizations.
 */
export const TOKEN_OPERATIONS: Readonly<
  Record<Area, { readonly read: readonly string[]; readonly write: readonly string[] }>
> = {
  events: {
    read: [
      'listEvents',
      'getEvent',
      'getSessionDecisions',
      'getReportEffect',
      'listFalsePositives',
      'listSavedFilters',
    ],
    write: [],
  },
  audit: {
    read: [
      'listAuditLog',
      'verifyAuditChain',
      'listAuditVerifications',
      'exportAuditLog',
      'getAuditTarget',
      'getEvidence',
    ],
    write: [],
  },
  usage: { read: ['getUsageOverview', 'getUsageReport', 'reconcileUsage', 'getModelPrices'], write: [] },
  members: {
    read: ['listMembers', 'listInvitations', 'listProjectRoles'],
    write: [
      ...['changeMemberRole', 'removeMember', 'inviteMember', 'resendInvitation', 'revokeInvitation'],
      ...['setProjectRole', 'removeProjectRole'],
    ],
  },
  policies: {
    read: ['listPolicies', 'previewPolicy', 'tryPolicy', 'listPolicyVersions', 'proposeThresholds'],
    write: ['createPolicy', 'updatePolicy', 'deletePolicy', 'reorderPolicies', 'restorePolicy'],
  },
  projects: {
    read: ['listDashboardProjects', 'getRetention', 'getToolLists', 'listProviders'],
    write: [
      ...['createDashboardProject', 'updateDashboardProject', 'deleteDashboardProject'],
      ...['updateRetention', 'replaceToolLists'],
    ],
  },
  webhooks: {
    read: [
      'getWebhook',
      'listProjectWebhooks',
      'getPolicyWebhook',
      'listWebhookDeliveries',
      'getWebhookDelivery',
      ...['listEndpoints', 'listEndpointDeliveries', 'listAlerts'],
    ],
    write: [
      ...['updateWebhook', 'rotateWebhookSecret', 'deleteWebhookSecret', 'testWebhook'],
      ...['updatePolicyWebhook', 'retryWebhookDelivery', 'addProjectWebhook', 'changeProjectWebhook'],
      ...['removeProjectWebhook', 'testProjectWebhook', 'replayWebhookDeliveries'],
      ...['rotateProjectWebhookSecret', 'addEndpoint', 'changeEndpoint', 'removeEndpoint'],
      ...['testEndpoint', 'replayEndpointDeliveries', 'rotateEndpointSecret', 'removeEndpointSecret'],
      ...['createAlert', 'deleteAlert'],
    ],
  },
  devices: {
    read: ['listDevices', 'getFleetSettings', 'listEnrollments'],
    write: ['revokeDevice', 'revokeDevices', 'assignDevice', 'updateFleetSettings', 'revokeEnrollment'],
  },
  approvals: {
    read: [
      ...['listRequests', 'getRequest', 'listDashboardExceptions', 'getDashboardException'],
      ...['listDashboardToolRequests', 'listToolReviews', 'countPendingRequests', 'listAllowedTexts'],
    ],
    write: [
      // What a report of a false positive allows, only people decide: of these, the decision is rejected.
      ...['decideRequest', 'cancelRequest', 'decideRequests', 'decideException', 'cancelDashboardException'],
      ...['decideToolRequest', 'cancelDashboardToolRequest', 'decideToolReview', 'deleteAllowedText'],
    ],
  },
};

/** Returns the scope that an operation needs; null: no token may call it. */
export function tokenScopeOf(operationId: string): { readonly area: Area; readonly isRead: boolean } | null {
  for (const [area, { read, write }] of Object.entries(TOKEN_OPERATIONS)) {
    const isRead = read.includes(operationId);
    if (isRead || write.includes(operationId)) return { area: area as Area, isRead };
  }
  return null;
}

/** Returns whether one of the scopes covers an operation: `members` includes `members:read`. */
export function coversOperation(scopes: readonly TokenScope[], operationId: string): boolean {
  const needed = tokenScopeOf(operationId);
  if (needed === null) return false;
  const own: readonly string[] = scopes;
  return own.includes(needed.area) || (needed.isRead && own.includes(`${needed.area}:read`));
}
