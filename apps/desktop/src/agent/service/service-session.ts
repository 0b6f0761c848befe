import { setTimeout as pause } from 'node:timers/promises';
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
import { createConfigStore } from './device-config-store.ts';
import { createEventUpload } from './event-upload.ts';

export interface AgentTimes {
  readonly heartbeatMs: number;
  /** After a try that failed: keychain, first configuration, events. */
  readonly retryMs: number;
  /** Where the live channel is lost, changes come this often. */
  readonly refreshMs: number;
  readonly deadlineMs: number;
}

export interface SessionDeps {
  readonly enrollment: Enrollment;
  readonly apiKey: string;
  readonly proxy: string | null;
  readonly journal: Journal;
  readonly times: AgentTimes;
  readonly heartbeat: () => Heartbeat;
  /** A configuration holds, another or the same again. */
  readonly onConfig: (config: DeviceConfig) => Promise<void>;
  readonly onRevoked: () => Promise<void>;
  readonly onDecided: (request: ExceptionRecord | ToolRequestRecord) => void;
  readonly onChange: () => void;
}

export interface SessionStatus {
  readonly config: DeviceConfig | null;
  readonly isRevoked: boolean;
  /** Null: not known yet. */
  readonly isReachable: boolean | null;
  readonly isChannelOpen: boolean;
  readonly managed: ManagedPolicy | null;
  readonly problem: string | null;
}

/** Everything between this device and its service while the agent runs. Its loss changes nothing but what is known. */
export interface ServiceSession {
  readonly client: ServiceClient;
  /** Resolves once a configuration holds, or it was closed. */
  begin(): Promise<void>;
  /** The state of this device is another one: said at once, by whichever way there is. */
  reportNow(): void;
  /** There may be events to hand in. */
  flush(): void;
  status(): SessionStatus;
  close(): Promise<void>;
}

/** What the service answers when it does not know a credential (any more). */
const GONE_CODES = ['invalid_api_key', 'disabled_api_key', 'expired_api_key', 'unauthorized'];
const NO_CONFIG =
  'The service has not sent a configuration yet, so nothing is protected; the agent keeps asking.';

export function createServiceSession(deps: SessionDeps): ServiceSession {
  const { enrollment, apiKey, proxy, journal, times } = deps;
  const client = createServiceClient({
    url: enrollment.server,
    apiKey,
    deadlineMs: times.deadlineMs,
    proxy,
  });
  const configStore = createConfigStore(enrollment, journal, client);
  const closing = new AbortController();
  const { signal } = closing;
  const timers: NodeJS.Timeout[] = [];
  let channel: LiveChannel | null = null;
  let recheck: NodeJS.Timeout | undefined;
  let managed: ManagedPolicy | null = null;
  /** The one that this computer works by; `configStore` may hold one that is being taken up. */
  let inUse: DeviceConfig | null = null;
  let isRevoked = false;
  let isReachable: boolean | null = null;
  const upload = createEventUpload({
    journal,
    send: async (events) => note(await client.sendEvents(events)),
    firstPauseMs: times.retryMs,
    longestPauseMs: 12 * times.retryMs,
  });
  const isOver = (): boolean => isRevoked || signal.aborted;

  function note<T extends { readonly kind: string; readonly code?: string }>(outcome: T): T {
    isReachable = outcome.kind !== 'no-answer';
    if (outcome.kind === 'refused' && GONE_CODES.includes(outcome.code ?? '')) void revoke();
    return outcome;
  }

  async function refresh(): Promise<void> {
    const outcome = await configStore.refresh();
    if (outcome === 'no-answer') isReachable = false;
    if (outcome === 'same' || outcome === 'changed') isReachable = true;
    const wanted = outcome === 'no-answer' ? null : await client.managedPolicy();
    if (wanted?.kind === 'ok') managed = wanted.value;
    const config = configStore.current();
    if (config !== null && outcome !== 'not-genuine' && !isOver()) await use(config);
    clearTimeout(recheck);
    // Nobody says when what was refused is put right.
    if (outcome === 'not-genuine' && !isOver()) {
      recheck = setTimeout(() => void refresh(), 2 * times.retryMs);
    }
    deps.onChange();
  }

  async function use(config: DeviceConfig): Promise<void> {
    await deps.onConfig(config);
    inUse = config;
  }

  async function report(): Promise<void> {
    if (isOver()) return;
    const outcome = note(await client.heartbeat(deps.heartbeat()));
    if (outcome.kind === 'ok' && outcome.value.revoked) return revoke();
    if (outcome.kind === 'ok' && outcome.value.config_changed) await refresh();
    if (outcome.kind === 'ok') upload.flush();
  }

  function onMessage(message: ServiceMessage): void {
    if (message.type === 'revoked') return void revoke();
    if (message.type === 'exception-decided') deps.onDecided(message.exception);
    if (message.type === 'tool-request-decided') deps.onDecided(message.tool_request);
    void refresh();
  }

  async function revoke(): Promise<void> {
    if (isOver()) return;
    isRevoked = true;
    channel?.close();
    await deps.onRevoked();
    deps.onChange();
  }

  return {
    client,
    async begin() {
      const stored = configStore.current();
      if (stored !== null) await use(stored);
      await refresh();
      if (isOver()) return;
      channel = openLiveChannel({
        url: enrollment.server,
        apiKey,
        proxy,
        random: Math.random,
        onOpen: () => {
          isReachable = true;
          channel?.send({ type: 'heartbeat', ...deps.heartbeat() });
          upload.flush(true);
          deps.onChange();
        },
        onMessage,
      });
      while (configStore.current() === null && !isOver()) {
        await pause(times.retryMs, null, { signal }).catch(() => {});
        if (!isOver()) await refresh();
      }
      if (isOver()) return;
      timers.push(setInterval(() => void report(), times.heartbeatMs));
      timers.push(setInterval(() => void refresh(), times.refreshMs));
      await report();
      upload.flush();
    },
    reportNow() {
      if (channel?.isOpen() === true) channel.send({ type: 'heartbeat', ...deps.heartbeat() });
      else if (channel !== null) void report();
    },
    flush: () => upload.flush(),
    status: () => ({
      config: inUse,
      isRevoked,
      isReachable,
      isChannelOpen: channel?.isOpen() ?? false,
      managed,
      problem: configStore.problem() ?? (configStore.current() === null ? NO_CONFIG : null),
    }),
    async close() {
      closing.abort();
      for (const timer of timers) clearInterval(timer);
      clearTimeout(recheck);
      channel?.close();
      await upload.stop();
      await client.close();
    },
  };
}
