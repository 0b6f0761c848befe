/**
 * A program of its own, because a process reads the roots of the computer once. Its argument is the SHA-256 fingerprint
 * of a root; prints whether programs of this computer trust it, as JSON.
 */
import { X509Certificate } from 'node:crypto';
import { getCACertificates } from 'node:tls';
import type { RunCommand } from '../../trust/trust-store.ts';

const TIMEOUT_MS = 20_000;

/** False also if it cannot be found out. */
export async function isRootTrusted(run: RunCommand, pem: string): Promise<boolean> {
  const { fingerprint256 } = new X509Certificate(pem);
  const ran = await run(process.execPath, [import.meta.filename, fingerprint256], { timeoutMs: TIMEOUT_MS });
  return ran.stdout === 'true';
}

if (import.meta.main) {
  const wanted = process.argv[2];
  const isThere = getCACertificates('system').some(
    (pem) => new X509Certificate(pem).fingerprint256 === wanted,
  );
  process.stdout.write(JSON.stringify(isThere));
}
