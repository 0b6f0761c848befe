import { createPublicKey, verify } from 'node:crypto';
import { DEVICE_CONFIG_FORMAT, type DeviceConfig, deviceConfigSchema } from '@csg/shared/contract';
import { signedText } from '@csg/shared/text';
import { Check } from 'typebox/schema';

export interface Pinned {
  readonly deviceId: string;
  /** Ed25519, SPKI DER, base64: pinned at enrollment. */
  readonly signingKey: string;
}

export type ConfigCheck =
  | { readonly kind: 'ok'; readonly config: DeviceConfig }
  /** `reason` is a sentence for the user. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Verifies a received configuration: genuine, made for this device, not older than `newestIssuedAt` (ISO 8601; null:
 * none yet) and valid. The signature covers everything received, including members that this version does not know.
 */
export function verifyConfig(text: string, pinned: Pinned, newestIssuedAt: string | null): ConfigCheck {
  let received: unknown;
  try {
    received = JSON.parse(text);
  } catch {
    return rejected('is not JSON');
  }
  if (typeof received !== 'object' || received === null || !('signature' in received)) {
    return rejected('is not signed');
  }
  const { signature, ...bundle } = received as Record<string, unknown>;
  if (typeof signature !== 'string' || !isGenuine(bundle, signature, pinned.signingKey)) {
    return rejected('is not signed by the service that this device is enrolled with');
  }
  if (bundle['device_id'] !== pinned.deviceId) return rejected('was made for another device');
  if (!Check(deviceConfigSchema, received)) return rejected('is not supported by this version of the agent');
  const config = received as DeviceConfig;
  if (newestIssuedAt !== null && Date.parse(config.issued_at) < Date.parse(newestIssuedAt)) {
    return rejected('is older than the one in use');
  }
  return { kind: 'ok', config };
}

function isGenuine(bundle: unknown, signature: string, signingKey: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(signingKey, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    const bytes = Buffer.from(signedText(DEVICE_CONFIG_FORMAT, bundle));
    return verify(null, bytes, key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function rejected(reason: string): ConfigCheck {
  return { kind: 'refused', reason: `The configuration ${reason}, so it was not used.` };
}
