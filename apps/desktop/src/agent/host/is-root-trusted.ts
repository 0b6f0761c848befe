import { X509Certificate } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { RunCommand } from '../../trust/trust-store.ts';

const TIMEOUT_MS = 20_000;
const PROGRAM = fileURLToPath(new URL('./is-root-trusted-program.ts', import.meta.url));

/** Also resolves to false if trust cannot be determined. */
export async function isRootTrusted(run: RunCommand, pem: string): Promise<boolean> {
  const { fingerprint256 } = new X509Certificate(pem);
  const ran = await run(process.execPath, [PROGRAM, fingerprint256], { timeoutMs: TIMEOUT_MS });
  return ran.stdout === 'true';
}
