import { DEFAULT_CREDENTIAL } from '@csg/shared/contract';

/** The context that a sealed value is bound to: it cannot be opened in another row. */
export const SEAL_CONTEXTS = {
  key: (keyId: string) => keyId,
  email: (emailId: string) => emailId,
  /** The default credential is bound without its name, because it predates named credentials. */
  providerCredential: (projectId: string, provider: string, name: string) =>
    `provider-credential\n${projectId}\n${provider}${name === DEFAULT_CREDENTIAL ? '' : `\n${name}`}`,
  webhookSecret: (id: string) => `webhook-secret\n${id}`,
  webhookUrl: (id: string) => `webhook-url\n${id}`,
  policyWebhook: (projectId: string) => `policy-webhook\n${projectId}`,
  endpoint: (endpointId: string) => `endpoint\n${endpointId}`,
  auditTarget: (organizationId: string) => `audit-target\n${organizationId}`,
  secondFactor: (userId: string) => `second-factor:${userId}`,
  scrapePage: (jobId: string, number: number) => `scrape-page\n${jobId}\n${number}`,
  idempotentResponse: (keyId: string, key: string) => `idempotency_records.body ${keyId} ${key}`,
  /** Named after the only kind of request that had one at first. */
  requestDetail: (requestId: string) => `tool-review-arguments\n${requestId}`,
  ssoSecret: (organizationId: string) => `sso-secret\n${organizationId}`,
  notificationTarget: (targetId: string) => `notification-target\n${targetId}`,
  notificationSecret: (targetId: string) => `notification-secret\n${targetId}`,
  mcpServer: (projectId: string, name: string) => `mcp-server\n${projectId}\n${name}`,
  ownSecret: (name: string) => `own-secret:${name}`,
} as const;
