import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { CodedError } from '@csg/shared/contract';

/** OWASP's parameters for Argon2id. Older hashes with other parameters are verified with those in the hash itself. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([\w+/]{16,88})\$([\w+/]{16,88})$/;

/** Each hash takes 19 MiB and a thread of the pool shared with files and DNS: low concurrency, bounded queue. */
const AT_ONCE = 2;
const MAX_WAITING = 64;
let running = 0;
const waiting: (() => void)[] = [];

const runArgon2 = promisify(argon2);

/** Hashes to a PHC string: `$argon2id$v=19$m=…$salt$hash`. Rejects with `service_unavailable` if the queue is full. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await serialize(() => derive(password, nonce, MEMORY_KIB, PASSES, PARALLELISM, TAG_BYTES));
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(nonce)}$${unpadded(hash)}`;
}

/**
 * Returns whether this is the password of the hash. Without a hash (no such account, or no password set) it takes the
 * same time and returns false, so that timing does not reveal which accounts exist.
 */
export async function verifyPassword(password: string, phc: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] =
    PHC.exec(phc ?? UNKNOWN_USER_HASH) ?? PHC.exec(UNKNOWN_USER_HASH)!;
  const expected = Buffer.from(tag!, 'base64');
  const found = await serialize(() =>
    derive(
      password,
      Buffer.from(salt!, 'base64'),
      Number(memory),
      Number(passes),
      Number(parallelism),
      expected.length,
    ),
  );
  return timingSafeEqual(found, expected) && phc !== null;
}

/** Random bytes in the form of a hash, which no password matches. */
const UNKNOWN_USER_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(randomBytes(16))}$${unpadded(randomBytes(TAG_BYTES))}`;

function derive(
  password: string,
  nonce: Buffer,
  memory: number,
  passes: number,
  parallelism: number,
  tagLength: number,
): Promise<Buffer> {
  // Normalizes equivalent characters (NIST SP 800-63B, section 3.1.1.2).
  const message = password.normalize('NFKC');
  return runArgon2('argon2id', { message, nonce, parallelism, tagLength, memory, passes });
}

async function serialize<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) {
      throw new CodedError('service_unavailable', {
        message: 'Too many people are signing in. Try again in a moment.',
        fields: { retry_after: 2 },
        headers: { 'Retry-After': '2' },
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    // The slot is handed over directly, so that a request that arrives in between cannot take it.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
