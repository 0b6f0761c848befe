import type { DeviceMode, ManagedPolicy } from '@csg/shared/contract';

/** An organization's settings for all its devices. */
export interface FleetSettings {
  readonly mode: DeviceMode;
  /** Hosts inspected in addition to those of the AI providers. */
  readonly extraHosts: readonly string[];
  /** Hosts that are never inspected. */
  readonly bypassHosts: readonly string[];
  /** Hosts or names of AI tools that are not allowed. */
  readonly blockedTools: readonly string[];
  readonly fleet: string | null;
  readonly forceUpdateMode: ManagedPolicy['force_update_mode'];
  readonly pinnedChannel: string | null;
  readonly minVersionOverride: string | null;
}

export interface FleetSettingsStore {
  /** Returns defaults for settings that were not set. */
  get(organizationId: string): Promise<FleetSettings>;
  /** Changes only the given settings. */
  set(organizationId: string, change: Partial<FleetSettings>): Promise<FleetSettings>;
  /** Ids of the devices of these organizations that were revoked since that time. */
  revokedSince(organizationIds: readonly string[], sinceMs: number): Promise<readonly string[]>;
}
