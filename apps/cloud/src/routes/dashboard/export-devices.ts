import type { DeviceRecord } from '@csg/shared/contract';
import { csvLine } from '../../wire/csv.ts';

const COLUMNS = [
  ...(['id', 'name', 'state', 'platform', 'coverage', 'project_id', 'project_name', 'user_email'] as const),
  ...(['end_user_label', 'agent_version', 'proxy_restarts'] as const),
  ...(['last_seen_at', 'enrolled_at', 'revoked_at'] as const),
] satisfies readonly (keyof DeviceRecord)[];

/** Returns the list of devices as CSV (RFC 4180). */
export function exportDevices(devices: readonly DeviceRecord[]): string {
  return [COLUMNS, ...devices.map((device) => COLUMNS.map((name) => device[name]))].map(csvLine).join('');
}
