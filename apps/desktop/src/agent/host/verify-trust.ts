/**
 * Runs as a program of its own, because a process reads the computer's roots only once: makes a TLS handshake through
 * the proxy that trusts the computer's roots alone, as any program would. Prints null or a sentence, as JSON.
 */
import { getCACertificates } from 'node:tls';
import { probeProxy } from '../../proxy/probe-proxy.ts';
import type { RunCommand } from '../../trust/trust-store.ts';
import { PROBE_HOST } from './device-root.ts';

const TIMEOUT_MS = 5_000;

/** Resolves to null if programs of this computer trust the proxy, otherwise to a sentence. */
export async function verifyTrust(
  run: RunCommand,
  proxy: { readonly port: number; readonly token: string },
): Promise<string | null> {
  const args = [import.meta.filename, String(proxy.port), proxy.token];
  const ran = await run(process.execPath, args, { timeoutMs: 4 * TIMEOUT_MS });
  try {
    return JSON.parse(ran.stdout) as string | null;
  } catch {
    return `Whether this computer trusts the certificate could not be tested (${ran.code ?? 'not started'}).`;
  }
}

if (import.meta.main) {
  const [port, token = ''] = process.argv.slice(2);
  const problem = await probeProxy({
    port: Number(port),
    token,
    probeHost: PROBE_HOST,
    rootPem: getCACertificates('system').join('\n'),
    timeoutMs: TIMEOUT_MS,
  });
  process.stdout.write(JSON.stringify(problem));
}
