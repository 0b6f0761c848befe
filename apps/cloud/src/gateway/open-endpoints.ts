import { readFileSync } from 'node:fs';
import type { InFlightLimiter } from '../limits/in-flight-limiter.ts';
import type { GuardRules } from '../outbound/guarded-connector.ts';
import { createTxtReader, type ReadTxtRecords } from '../outbound/read-txt-records.ts';
import { createIdentityProviders, type IdentityProviders } from '../single-sign-on/identity-providers.ts';
import type { TimestampAuthority } from '../timestamps/timestamp-authority.ts';
import { createMcpTransport, type McpTransport } from '../upstream/mcp-transport.ts';
import { createUpstream, type Upstream } from '../upstream/send.ts';
import { createWebhookSender, type WebhookSender } from '../webhooks/outbound/webhook-sender.ts';
import { createBreaker } from '../webhooks/policy-endpoint/breaker.ts';
import { type ConsultPolicy, createConsultPolicy } from '../webhooks/policy-endpoint/consult-policy.ts';
import { createPolicyWebhookClient } from '../webhooks/policy-endpoint/policy-webhook-client.ts';
import type { Records } from './open-records.ts';
import type { Opening } from './opening.ts';

export interface Endpoints {
  readonly upstream: Upstream;
  readonly sender: WebhookSender;
  readonly consultPolicy: ConsultPolicy;
  /** Addresses that customers may enter for their endpoints. */
  readonly targetRules: GuardRules;
  readonly identityProviders: IdentityProviders;
  readonly readTxtRecords: ReadTxtRecords;
  readonly mcpTransport: McpTransport;
  /** Null if none is configured. */
  readonly timestampAuthority: TimestampAuthority | null;
}

/** Opens the clients for external services: model providers and customers' endpoints. */
export async function openEndpoints(
  opening: Opening,
  records: Records,
  work: InFlightLimiter,
): Promise<Endpoints> {
  const { config } = opening;
  const { traces } = records;
  const targetRules = { allowPrivate: config.webhookAllowPrivate || config.scrapeAllowPrivate };
  const sender = createWebhookSender(targetRules);
  const identityProviders = createIdentityProviders(targetRules);
  opening.closing.defer(() => identityProviders.close());
  return {
    upstream: openUpstream(opening, records, work),
    sender: traces?.instrumentSender(sender) ?? sender,
    consultPolicy: openConsultPolicy(opening, records, work, targetRules),
    targetRules,
    identityProviders,
    readTxtRecords: createTxtReader(config.ssoDnsServers),
    mcpTransport: openMcpTransport(opening, work, targetRules),
    timestampAuthority: await openTimestampAuthority(opening),
  };
}

/** Loaded only if configured. */
async function openTimestampAuthority({
  config,
  clock,
  closing,
}: Opening): Promise<TimestampAuthority | null> {
  const { auditTimestampUrl: url, auditTimestampCaFile: file } = config;
  if (url === undefined || file === undefined) return null;
  const { createTimestampAuthority } = await import('../timestamps/timestamp-authority.ts');
  const certificates = readFileSync(file, 'utf8');
  const authority = createTimestampAuthority({ url, certificates, now: clock.now });
  closing.defer(() => authority.close());
  return authority;
}

function openUpstream({ config, closing }: Opening, { traces }: Records, work: InFlightLimiter): Upstream {
  const { upstreamProxyUrl: url, upstreamProxyBypass: bypass } = config;
  const direct = createUpstream({
    timeoutMs: config.upstreamTimeoutMs,
    maxResponseBytes: config.responseLimitBytes,
    connections: config.upstreamConnections,
    proxy: url === undefined ? undefined : { url, bypass },
  });
  closing.defer(() => direct.close());
  const upstream = traces?.instrumentUpstream(direct) ?? direct;
  return { ...upstream, send: (request) => work.releaseWhile(() => upstream.send(request)) };
}

function openMcpTransport(
  { config, closing }: Opening,
  work: InFlightLimiter,
  targetRules: GuardRules,
): McpTransport {
  const transport = createMcpTransport({ ...targetRules, timeoutMs: config.upstreamTimeoutMs });
  closing.defer(() => transport.close());
  return { ...transport, send: (server, call) => work.releaseWhile(() => transport.send(server, call)) };
}

function openConsultPolicy(
  { clock, log, metrics, closing }: Opening,
  { storage }: Records,
  work: InFlightLimiter,
  targetRules: GuardRules,
): ConsultPolicy {
  const client = createPolicyWebhookClient(targetRules);
  closing.defer(() => client.close());
  return createConsultPolicy({
    storage,
    policyWebhookClient: {
      evaluate: (endpoint, question) => work.releaseWhile(() => client.evaluate(endpoint, question)),
    },
    breaker: createBreaker(),
    clock,
    log,
    observePolicy: metrics.consulted,
  });
}
