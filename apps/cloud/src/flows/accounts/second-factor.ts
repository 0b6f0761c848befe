import { randomBytes } from 'node:crypto';
import { CodedError } from '@csg/shared/contract';
import { Secret, TOTP } from 'otpauth';
import type { Repositories } from '../../storage/storage.ts';

const ISSUER = 'Content Security Gateway';
const STEP_S = 30;
/** Tolerance for inaccurate phone clocks: one step before and after. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 7;
/** RFC 4648 base32, as authenticator apps show secrets: 0, 1, 8 and 9, which look like letters, do not occur. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

type Factors = Pick<Repositories, 'secondFactors'>;

export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the `otpauth:` URL that an authenticator app reads from a QR code. */
export function otpauthUrl(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** Returns ten recovery codes to keep on paper, each valid for one sign-in: `XXXXX-XXXXX`, 50 bits. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    let bits = BigInt(`0x${randomBytes(RECOVERY_BYTES).toString('hex')}`);
    let code = '';
    for (let i = 0; i < 10; i++) {
      code += BASE32[Number(bits & 31n)];
      bits >>= 5n;
    }
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
}

/**
 * Consumes a code of the authenticator app, or a recovery code. Rejects with `wrong_code` if it is wrong or was used
 * before. Resolves to the kind of code.
 */
export async function consumeCode(
  { secondFactors }: Factors,
  userId: string,
  code: string,
  nowMs: number,
): Promise<'app' | 'recovery'> {
  const factor = await secondFactors.get(userId);
  if (factor === null) throw new CodedError('wrong_code');
  const given = code.replace(/[\s-]/g, '').toUpperCase();
  if (/^\d{6}$/.test(given)) {
    const delta = totpOf(factor.secret).validate({ token: given, timestamp: nowMs, window: WINDOW });
    if (delta !== null && (await secondFactors.spendStep(userId, stepOf(nowMs) + delta))) return 'app';
  } else if (await secondFactors.spendRecoveryCode(userId, `${given.slice(0, 5)}-${given.slice(5)}`)) {
    return 'recovery';
  }
  throw new CodedError('wrong_code');
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_S,
    secret: Secret.fromBase32(secret),
  });
}

function stepOf(nowMs: number): number {
  return Math.floor(nowMs / 1000 / STEP_S);
}
