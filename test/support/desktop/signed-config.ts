import { generateKeyPairSync, sign } from 'node:crypto';
import { DEVICE_CONFIG_FORMAT } from '@csg/shared/contract';
import { signedText } from '@csg/shared/text';
import type { Enrollment } from '../../../apps/desktop/src/agent/settings/state-files.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');

/** The enrollment of the device whose configurations `signedConfig` signs. */
export const ENROLLMENT: Enrollment = {
  server: 'https://g.example',
  deviceId: 'dev_1',
  organizationId: 'org_1',
  deviceName: 'n',
  accountName: 'a',
  enrolledAt: '',
  signingKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
};

/** A configuration as the service sends it, issued on this day. */
export function signedConfig(version: string, day: number, deviceId = ENROLLMENT.deviceId): string {
  const unsigned = {
    device_id: deviceId,
    mode: 'enforce',
    fail_closed: false,
    hosts: [],
    bypass_hosts: [],
    blocked_tools: [],
    policy_version: version,
    ruleset: { useCase: 'default', strictness: 'moderate', policies: [] },
    exceptions: [],
    issued_at: `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`,
    signing_key_id: 'k',
  };
  const bytes = Buffer.from(signedText(DEVICE_CONFIG_FORMAT, unsigned));
  return JSON.stringify({ ...unsigned, signature: sign(null, bytes, privateKey).toString('base64') });
}
