import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/** Argon2id with OWASP's parameters (m = 19 MiB, t = 2, p = 1), as a PHC string: `$argon2id$v=19$m=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await promisify(argon2)('argon2id', {
    message: password,
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory: 19_456,
    passes: 2,
  });
  return `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(nonce)}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
