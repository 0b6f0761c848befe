import type { DEVICE_STATE_NAMES } from '@csg/shared/contract';
import type { Device } from '../../storage/storage.ts';

/** Interval at which devices are asked to report. */
const HEARTBEAT_EVERY_S = 60;
/** After three missed reports a device is silent: it is unknown whether it still protects. */
const SILENT_AFTER_MS = 3 * HEARTBEAT_EVERY_S * 1000;

export type DeviceState = (typeof DEVICE_STATE_NAMES)[number];

/** Returns the current state of a device: its last report, unless that is too old. */
export function deviceState(device: Device, nowMs: number): DeviceState {
  if (device.revokedAtMs !== null) return 'revoked';
  if (device.lastSeenAtMs === null) return 'never_seen';
  if (nowMs - device.lastSeenAtMs > SILENT_AFTER_MS) return 'silent';
  const state = device.supervisorState ?? 'quiet';
  const isLed = device.systemProxy !== 'not_set';
  if (state !== 'gave_up' && isLed && device.needsAdministrator.length > 0) return 'needs_administrator';
  // A running proxy does not protect apps that do not use it.
  if (state !== 'quiet' || device.systemProxy === null || device.systemProxy === 'on') return state;
  return device.systemProxy === 'off' ? 'programs_only' : 'retrying';
}
