import type {
  DeviceConfig,
  ExceptionRecord,
  Heartbeat,
  ManagedPolicy,
  ServiceMessage,
  ToolRequestRecord,
} from '@csg/shared/contract';
import { type LiveChannel, openLiveChannel } from '../../cloud-client/live-channel.ts';
import { createServiceClient, type ServiceClient } from '../../cloud-client/service-client.ts';
import type { Journal } from '../../journal/open-journal.ts';
import type { Enrollment } from '../settings/state-files.ts';
import { createConfigRefresh } from './config-refresh.ts';
import { createConfigStore } from './device-config-store.ts';
import { createEventUpload } from './event-upload.ts';

export interface AgentTimes {
  readonly heartbeatMs: number;
  /** Pause after a failed attempt: keychain, first configuration, events. */
  readonly retryMs: number;
  /** Interval of refreshes while the live channel is down. */
  readonly refreshMs: number;
  readonly deadlineMs: number;
  /** Interval of checks of the proxy setting. */
  readonly checkMs: number;
}

export interface SessionDeps {
  readonly enrollment: Enrollment;
  readonly apiKey: string;
  readonly proxy: string | null;
  readonly journal: Journal;
  readonly times: AgentTimes;
  readonly heartbeat: () => Heartbeat;
  /** Called with every configuration received, changed or not. */
  readonly onConfig: (config: DeviceConfig) => Promise<void>;
  readonly onRevoked: () => Promise<void>;
  readonly onDecided: (request: ExceptionRecord | ToolRequestRecord) => void;
  readonly onChange: () => void;
}

export interface SessionStatus {
  readonly config: DeviceConfig | null;
  readonly isRevoked: boolean;
  /** Null: not yet known. */
  readonly isReachable: boolean | null;
  readonly isChannelOpen: boolean;
  /** When this run last sent the state of this device to the service; null: not yet. */
  readonly reportedAtMs: number | null;
  readonly managed: ManagedPolicy | null;
  readonly problem: string | null;
}

/** All communication between this device and its service while the agent runs. Protection does not depend on it. */
export interface ServiceSession {
  readonly client: ServiceClient;
  /** Resolves once a configuration applies or the session was closed. */
  begin(): Promise<void>;
  /** Reports a changed state of this device immediately, over whichever route is available. */
  reportNow(): void;
  /** Uploads events if there are any. */
  flush(): void;
  status(): SessionStatus;
  close(): Promise<void>;
}

/** Error codes of the service for an unknown or revoked credential. */
const GONE_CODES = ['invalid_api_key', 'disabled_api_key', 'expired_api_key', 'unauthorized'];
const NO_CONFIG =
  'The service has not sent a configuration yet, so nothing is protected. The agent keeps trying.';

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: short functions over the state of one session
export function createServiceSession(deps: SessionDeps): ServiceSession {
  const { enrollment, apiKey, proxy, journal, times, heartbeat } = deps;
  const url = enrollment.server;
  const client = createServiceClient({ url, apiKey, deadlineMs: times.deadlineMs, proxy });
  const configStore = createConfigStore(enrollment, journal, client);
  const closing = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let channel: LiveChannel | null = null;
  let isRevoked = false;
  let isReachable: boolean | null = null;
  let reportedAtMs: number | null = null;
  const isOver = (): boolean => isRevoked || closing.signal.aborted;
  const config = createConfigRefresh({
    client,
    configStore,
    retryMs: times.retryMs,
    onConfig: deps.onConfig,
    onReachable(isThere) {
      isReachable = isThere;
    },
    onChange: deps.onChange,
    isOver,
    signal: closing.signal,
  });
  const upload = createEventUpload({
    journal,
    send: async (events) => note(await client.sendEvents(events)),
    firstPauseMs: times.retryMs,
    longestPauseMs: 12 * times.retryMs,
  });

  function note<T extends { readonly kind: string; readonly code?: string }>(outcome: T): T {
    isReachable = outcome.kind !== 'no-answer';
    if (outcome.kind === 'refused' && GONE_CODES.includes(outcome.code ?? '')) void revoke();
    return outcome;
  }

  async function report(): Promise<void> {
    if (isOver()) return;
    const outcome = note(await client.heartbeat(heartbeat()));
    if (outcome.kind === 'ok' && outcome.value.revoked) return revoke();
    if (outcome.kind === 'ok' && outcome.value.config_changed) await config.refresh();
    if (outcome.kind !== 'ok') return;
    reportedAtMs = Date.now();
    upload.flush();
  }

  function onMessage(message: ServiceMessage): void {
    if (message.type === 'revoked') return void revoke();
    if (message.type === 'exception-decided') deps.onDecided(message.exception);
    if (message.type === 'tool-request-decided') deps.onDecided(message.tool_request);
    void config.refresh();
  }

  async function revoke(): Promise<void> {
    if (isOver()) return;
    isRevoked = true;
    channel?.close();
    await deps.onRevoked();
    deps.onChange();
  }

  function openChannel(): LiveChannel {
    const opened = openLiveChannel({
      url,
      apiKey,
      proxy,
      random: Math.random,
      onOpen() {
        isReachable = true;
        opened.send({ type: 'heartbeat', ...heartbeat() });
        reportedAtMs = Date.now();
        upload.flush(true);
        deps.onChange();
      },
      onMessage,
    });
    return opened;
  }

  return {
    client,
    async begin() {
      await config.applyStored();
      await config.refresh();
      if (isOver()) return;
      channel = openChannel();
      await config.untilFirst();
      if (isOver()) return;
      timers.push(setInterval(() => void report(), times.heartbeatMs));
      timers.push(setInterval(() => void config.refresh(), times.refreshMs));
      await report();
      upload.flush();
    },
    reportNow() {
      if (channel?.isOpen() !== true) return channel === null ? undefined : void report();
      channel.send({ type: 'heartbeat', ...heartbeat() });
      reportedAtMs = Date.now();
    },
    flush: () => upload.flush(),
    status: () => ({
      config: config.inUse(),
      isRevoked,
      isReachable,
      reportedAtMs,
      isChannelOpen: channel?.isOpen() ?? false,
      managed: config.managed(),
      problem: configStore.problem() ?? (configStore.current() === null ? NO_CONFIG : null),
    }),
    async close() {
      closing.abort();
      for (const timer of timers) clearInterval(timer);
      config.stop();
      channel?.close();
      await upload.stop();
      await client.close();
    },
  };
}
