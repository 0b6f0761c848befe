/**
 * Runs as a program of its own, because a process reads the computer's roots only once. Takes the SHA-256 fingerprint
 * of a root and prints as JSON whether programs of this computer trust it.
 */
import { X509Certificate } from 'node:crypto';
import { getCACertificates } from 'node:tls';
import type { RunCommand } from '../../trust/trust-store.ts';

const TIMEOUT_MS = 20_000;

/** Also resolves to false if trust cannot be determined. */
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
