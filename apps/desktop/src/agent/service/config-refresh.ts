import { setTimeout as pause } from 'node:timers/promises';
import type { DeviceConfig, ManagedPolicy } from '@csg/shared/contract';
import type { ServiceClient } from '../../cloud-client/service-client.ts';
import type { ConfigStore } from './device-config-store.ts';

export interface ConfigRefreshDeps {
  readonly client: Pick<ServiceClient, 'managedPolicy'>;
  readonly configStore: ConfigStore;
  readonly retryMs: number;
  /** Called with every configuration received, changed or not. */
  readonly onConfig: (config: DeviceConfig) => Promise<void>;
  readonly onReachable: (isReachable: boolean) => void;
  readonly onChange: () => void;
  readonly isOver: () => boolean;
  readonly signal: AbortSignal;
}

/** The configuration in use, and its renewal. */
export interface ConfigRefresh {
  /** Applies the stored configuration, if there is one. */
  applyStored(): Promise<void>;
  /** Runs one request at a time: responses out of order would restore an outdated configuration. */
  refresh(): Promise<void>;
  /** Resolves once there is a configuration, or the session is over. */
  untilFirst(): Promise<void>;
  inUse(): DeviceConfig | null;
  managed(): ManagedPolicy | null;
  stop(): void;
}

export function createConfigRefresh(deps: ConfigRefreshDeps): ConfigRefresh {
  const { client, configStore, retryMs, isOver, signal } = deps;
  let recheck: NodeJS.Timeout | undefined;
  let managed: ManagedPolicy | null = null;
  /** The one in use; `configStore` may already contain a newer one. */
  let inUse: DeviceConfig | null = null;
  let running: Promise<void> | null = null;
  let isDueAgain = false;

  function refresh(): Promise<void> {
    isDueAgain = true;
    running ??= refreshWhileDue();
    return running;
  }

  async function refreshWhileDue(): Promise<void> {
    try {
      while (isDueAgain) {
        isDueAgain = false;
        await refreshOnce();
      }
    } finally {
      running = null;
    }
  }

  async function refreshOnce(): Promise<void> {
    const outcome = await configStore.refresh();
    if (outcome === 'no-answer') deps.onReachable(false);
    if (outcome === 'same' || outcome === 'changed') deps.onReachable(true);
    const wanted = outcome === 'no-answer' ? null : await client.managedPolicy();
    if (wanted?.kind === 'ok') managed = wanted.value;
    const config = configStore.current();
    if (config !== null && outcome !== 'not-genuine' && !isOver()) await apply(config);
    clearTimeout(recheck);
    // No event reports that a rejected configuration was corrected.
    if (outcome === 'not-genuine' && !isOver()) recheck = setTimeout(() => void refresh(), 2 * retryMs);
    deps.onChange();
  }

  async function apply(config: DeviceConfig): Promise<void> {
    await deps.onConfig(config);
    inUse = config;
  }

  return {
    async applyStored() {
      const stored = configStore.current();
      if (stored !== null) await apply(stored);
    },
    refresh,
    async untilFirst() {
      while (configStore.current() === null && !isOver()) {
        await pause(retryMs, null, { signal }).catch(() => {});
        if (!isOver()) await refresh();
      }
    },
    inUse: () => inUse,
    managed: () => managed,
    stop: () => clearTimeout(recheck),
  };
}
