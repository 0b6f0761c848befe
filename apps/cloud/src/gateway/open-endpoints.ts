import { readFileSync } from 'node:fs';
import type { InFlightLimiter } from '../limits/in-flight-limiter.ts';
import type { GuardRules } from '../outbound/guarded-connector.ts';
import { createTxtReader, type ReadTxtRecords } from '../outbound/read-txt-records.ts';
import { createIdentityProviders, type IdentityProviders } from '../single-sign-on/identity-providers.ts';
import type { TimestampAuthority } from '../timestamps/timestamp-authority.ts';
import { createMcpTransport, type McpTransport } from '../upstream/mcp-transport.ts';
import { createUpstream, type Upstream } from '../upstream/send.ts';
import { createEndpointClient, type EndpointClient } from '../webhooks/outbound/endpoint-client.ts';
import { createBreaker } from '../webhooks/policy-endpoint/breaker.ts';
import { type CallCounter, createCallCounter } from '../webhooks/policy-endpoint/call-counter.ts';
import { type ConsultPolicy, createConsultPolicy } from '../webhooks/policy-endpoint/consult-policy.ts';
import type { Records } from './open-records.ts';
import type { Opening } from './opening.ts';

export interface Endpoints {
  readonly upstream: Upstream;
  readonly sender: EndpointClient;
  readonly consultPolicy: ConsultPolicy;
  readonly policyCalls: CallCounter;
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
  const client = createEndpointClient(targetRules);
  opening.closing.defer(() => client.close());
  const policyCalls = createCallCounter({ storage: records.storage, clock: opening.clock });
  const identityProviders = createIdentityProviders(targetRules);
  opening.closing.defer(() => identityProviders.close());
  return {
    upstream: openUpstream(opening, records, work),
    sender: traces?.instrumentSender(client) ?? client,
    policyCalls,
    consultPolicy: createConsultPolicy({
      ...{ storage: records.storage, calls: policyCalls, breaker: createBreaker() },
      ...{ clock: opening.clock, log: opening.log, observePolicy: opening.metrics.consulted },
      sender: { send: (call) => work.releaseWhile(() => client.send(call)) },
    }),
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
