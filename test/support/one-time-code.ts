import { Secret, TOTP } from 'otpauth';

/** The code that an authenticator app shows for this secret at that time. */
export function oneTimeCode(secret: string, atMs: number): string {
  return new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(secret) }).generate({
    timestamp: atMs,
  });
}
