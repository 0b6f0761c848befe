import type { Device } from '../../storage/storage.ts';

/** How often a device is asked to report. */
const HEARTBEAT_EVERY_S = 60;
/** After three missed reports a device counts as silent: it does not protect anybody as far as is known. */
const SILENT_AFTER_MS = 3 * HEARTBEAT_EVERY_S * 1000;

const DEVICE_STATES = ['quiet', 'retrying', 'gave_up', 'silent', 'never_seen', 'revoked'] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];

/** What is known of a device now: its own last word, unless that is too old to be believed. */
export function deviceState(device: Device, nowMs: number): DeviceState {
  if (device.revokedAtMs !== null) return 'revoked';
  if (device.lastSeenAtMs === null) return 'never_seen';
  if (nowMs - device.lastSeenAtMs > SILENT_AFTER_MS) return 'silent';
  return device.supervisorState ?? 'quiet';
}
