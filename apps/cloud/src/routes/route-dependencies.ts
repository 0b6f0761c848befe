import type { Plans, VersionResponse } from '@csg/shared/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { DeviceSigner } from '../config/device-signing-key.ts';
import type { Scanner } from '../detection-workers/scanner.ts';
import type { PacedTurns } from '../fairness/paced-turns.ts';
import type { FileReader } from '../files/file-reader.ts';
import type { SketchCache } from '../flows/agent/sketch-cache.ts';
import type { CheckpointStamper } from '../flows/audit/stamp-checkpoints.ts';
import type { Authenticator } from '../flows/authenticate-key.ts';
import type { Clock, Timers } from '../flows/clock.ts';
import type { EvaluateDeps } from '../flows/decision/evaluate.ts';
import type { DeviceChannel } from '../flows/devices/device-channel.ts';
import type { Links } from '../flows/links.ts';
import type { SessionHistories } from '../flows/mcp/session-history.ts';
import type { PlainHeaders } from '../flows/read-request-headers.ts';
import type { PageSource } from '../flows/scrape-page.ts';
import type { EnvironmentSso } from '../flows/single-sign-on/find-sso.ts';
import type { UsageMeter } from '../flows/usage-report/usage-meter.ts';
import type { InFlightLimiter } from '../limits/in-flight-limiter.ts';
import type { MinuteLimiter } from '../limits/minute-limiter.ts';
import type { SignInThrottle } from '../limits/sign-in-throttle.ts';
import type { GuardRules } from '../outbound/guarded-connector.ts';
import type { ReadTxtRecords } from '../outbound/read-txt-records.ts';
import type { Metrics } from '../plugins/metrics.ts';
import type { SessionCookie } from '../plugins/session-cookie.ts';
import type { IdentityProviders } from '../single-sign-on/identity-providers.ts';
import type { McpServer, Storage } from '../storage/storage.ts';
import type { McpTransport } from '../upstream/mcp-transport.ts';
import type { Provider } from '../upstream/providers.ts';
import type { Upstream } from '../upstream/send.ts';
import type { EndpointClient } from '../webhooks/outbound/endpoint-client.ts';
import type { ConsultPolicy } from '../webhooks/policy-endpoint/consult-policy.ts';

/** Everything that routes are wired from; each route names the part that it uses. */
export interface RouteDependencies {
  readonly storage: Storage;
  readonly scanner: Scanner;
  readonly meter: UsageMeter;
  readonly upstream: Upstream;
  readonly providers: readonly Provider[];
  /** Configured by the operator for every project. */
  readonly mcpServers: readonly McpServer[];
  readonly mcpTransport: McpTransport;
  readonly mcpHistories: SessionHistories;
  readonly sketches: SketchCache;
  readonly plainHeaders: PlainHeaders;
  /** Long work on the event loop, in slices. */
  readonly pacedTurns: PacedTurns;
  readonly pages: PageSource;
  readonly files: Pick<FileReader, 'read'>;
  readonly authenticator: Authenticator;
  readonly limiter: MinuteLimiter;
  readonly signInThrottle: SignInThrottle;
  readonly work: InFlightLimiter;
  readonly metrics: Metrics;
  readonly observe: EvaluateDeps['observe'];
  readonly links: Links;
  readonly signer: DeviceSigner;
  readonly channel: DeviceChannel;
  readonly sender: EndpointClient;
  /** Addresses that customers may enter for their endpoints. */
  readonly targetRules: GuardRules;
  /** Secret that signs a code host's deliveries; undefined: not configured. */
  readonly codeHostSecret: string | undefined;
  readonly consultPolicy: ConsultPolicy;
  /** Makes every request read its key again, so that a change applies immediately on this instance. */
  readonly forgetKeys: () => void;
  /** Wakes the worker of batches. */
  readonly wake: () => void;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
  readonly makeKey: () => string;
  readonly newEventId: (nowMs: number) => string;
  readonly newRequestId: () => string;
  readonly cookie: SessionCookie;
  /** Returns true for the origin at which people reach the service's pages. */
  readonly isOwnOrigin: (origin: string) => boolean;
  readonly plans: Plans;
  /** Single sign-on of the operator's organization; null: not configured in the environment. */
  readonly environmentSso: EnvironmentSso | null;
  readonly identityProviders: IdentityProviders;
  readonly readTxtRecords: ReadTxtRecords;
  /** null: not configured. */
  readonly timestampAuthority: CheckpointStamper | null;
  readonly signUp: 'open' | 'invitation';
  readonly delivery: 'smtp' | 'outbox';
  readonly build: VersionResponse;
  readonly isDraining: () => boolean;
  readonly settings: RouteSettings;
}

export interface RouteSettings {
  readonly bodyLimitBytes: number;
  readonly channelPingMs: number;
  readonly streamHeadAfterMs: number;
  readonly maxMcpMessageBytes: number;
  /** Folder with the documentation. */
  readonly guideFolder: string;
}
