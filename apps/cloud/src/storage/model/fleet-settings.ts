import type { DeviceMode, ManagedPolicy } from '@csg/shared/contract';

/** What an organization says about all its devices. */
export interface FleetSettings {
  readonly mode: DeviceMode;
  /** Opened beside the AI providers' hosts. */
  readonly extraHosts: readonly string[];
  /** Never opened. */
  readonly bypassHosts: readonly string[];
  /** Hosts or names of AI tools that are not allowed. */
  readonly blockedTools: readonly string[];
  readonly fleet: string | null;
  readonly forceUpdateMode: ManagedPolicy['force_update_mode'];
  readonly pinnedChannel: string | null;
  readonly minVersionOverride: string | null;
}

export interface FleetSettingsStore {
  /** With the defaults where nothing was said. */
  get(organizationId: string): Promise<FleetSettings>;
  /** Only what is given changes. */
  set(organizationId: string, change: Partial<FleetSettings>): Promise<FleetSettings>;
  /** Ids of the devices of these organizations that were revoked since. */
  revokedSince(organizationIds: readonly string[], sinceMs: number): Promise<readonly string[]>;
}
