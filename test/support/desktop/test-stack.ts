/** Proxy, provider and company proxy on loopback, connected: the environment of most proxy tests. */
import type { DecisionEvent } from '../../../apps/desktop/src/inspect/decision-event.ts';
import type { DevicePolicy, RequestGuard } from '../../../apps/desktop/src/inspect/device-policy.ts';
import { createFindProcess, type FindProcess } from '../../../apps/desktop/src/proxy/find-process.ts';
import type { ProxyConfig } from '../../../apps/desktop/src/proxy/messages.ts';
import { type RunningProxy, startProxy } from '../../../apps/desktop/src/proxy/start-proxy.ts';
import { createRunCommand } from '../../../apps/desktop/src/trust/run-command.ts';
import { type CompanyProxy, startCompanyProxy } from '../company-proxy.ts';
import { type Authority, newAuthority } from './certificates.ts';
import { startTlsProvider, type TlsProvider } from './tls-provider.ts';

export const PROBE_HOST = 'probe.content-security-agent.invalid';
export const AI_HOSTS = [
  'api.openai.com',
  'api.anthropic.com',
  'chatgpt.com',
  'claude.ai',
  'localhost',
  '127.0.0.1',
];

export function testPolicy(part: Partial<DevicePolicy> = {}): DevicePolicy {
  return {
    mode: 'enforce',
    failClosed: false,
    hosts: AI_HOSTS,
    bypassHosts: [],
    blockedTools: [],
    policyVersion: 'v1',
    ruleset: { useCase: 'default', strictness: 'moderate', policies: [] },
    streaming: 'buffered',
    holdsPages: false,
    masking: 'one_way',
    masksWorkingData: false,
    secretTools: {},
    exceptions: [],
    requestUrl: 'https://gateway.example/requests/new',
    ...part,
  };
}

export function testConfig(part: Partial<ProxyConfig> = {}): ProxyConfig {
  return {
    port: 0,
    policy: testPolicy(),
    service: null,
    guardDeadlineMs: 60_000,
    upstreamProxy: null,
    upstreamPac: null,
    upstreamProxyBypass: [],
    upstreamCa: [],
    probeHost: PROBE_HOST,
    pac: null,
    loopToken: 'token-of-this-test',
    ...part,
  };
}

export interface TestStack {
  readonly proxy: RunningProxy;
  readonly testProvider: TlsProvider;
  readonly company: CompanyProxy;
  /** The root of the provider's certificates. */
  readonly providerRoot: string;
  /** The device's authority, which clients have to trust. */
  readonly device: Authority;
  readonly events: DecisionEvent[];
  configure(part: Partial<ProxyConfig>): void;
  close(): Promise<void>;
}

export interface TestStackOptions {
  /** Hosts that the device opens besides. */
  readonly hosts?: readonly string[];
  readonly http2?: boolean;
  readonly config?: Partial<ProxyConfig>;
  readonly guard?: RequestGuard;
  readonly answered?: (digests: readonly string[]) => void;
  readonly leaf?: (host: string) => boolean;
  readonly now?: () => number;
  readonly findProcess?: FindProcess;
}

export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const { hosts = [] } = options;
  const providerAuthority = await newAuthority([...AI_HOSTS, ...hosts, 'plain.example', 'bank.example']);
  const device = await newAuthority([...AI_HOSTS, ...hosts, PROBE_HOST]);
  const testProvider = await startTlsProvider(providerAuthority, { http2: options.http2 ?? true });
  const company = await startCompanyProxy({ leadTo: () => testProvider.port });
  const events: DecisionEvent[] = [];
  let config = testConfig({
    upstreamProxy: company.url,
    upstreamProxyBypass: ['localhost', '127.0.0.1'],
    upstreamCa: [providerAuthority.root.pem],
    ...(options.guard !== undefined && { service: { url: 'http://service.invalid', apiKey: 'k' } }),
    ...options.config,
  });
  let ids = 0;
  const proxy = await startProxy(config, {
    needLeaf: (host) => {
      if (options.leaf?.(host) === false) return proxy.leaf(host, null);
      device.issuer.leafFor(host, Date.now()).then(
        (leaf) => proxy.leaf(host, leaf),
        () => proxy.leaf(host, null),
      );
    },
    findProcess: options.findProcess ?? createFindProcess(process.platform, createRunCommand(process.env)),
    emit: (event) => events.push(event),
    answered: options.answered ?? (() => {}),
    connectGuard: () => options.guard ?? (async () => ({ kind: 'no-answer', reason: 'unreachable' })),
    now: options.now ?? (() => Date.now()),
    newEventId: () => `evt_device_${++ids}`,
  });
  return {
    proxy,
    testProvider,
    company,
    providerRoot: providerAuthority.root.pem,
    device,
    events,
    configure(part) {
      config = { ...config, ...part };
      proxy.configure(config);
    },
    async close() {
      device.issuer.close();
      await proxy.close(0);
      await company.close();
      await testProvider.close();
    },
  };
}
