import { fileURLToPath } from 'node:url';
import type { RunCommand } from '../../trust/trust-store.ts';

export const PROBE_TIMEOUT_MS = 5_000;
const PROGRAM = fileURLToPath(new URL('./verify-trust-program.ts', import.meta.url));

/** Resolves to null if programs of this computer trust the proxy, otherwise to a sentence. */
export async function verifyTrust(
  run: RunCommand,
  proxy: { readonly port: number; readonly token: string },
): Promise<string | null> {
  const args = [PROGRAM, String(proxy.port), proxy.token];
  const ran = await run(process.execPath, args, { timeoutMs: 4 * PROBE_TIMEOUT_MS });
  try {
    return JSON.parse(ran.stdout) as string | null;
  } catch {
    return `Whether this computer trusts the certificate could not be tested (${ran.code ?? 'not started'}).`;
  }
}
