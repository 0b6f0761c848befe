/**
 * Runs as a program of its own, because a process reads the computer's roots only once: makes a TLS handshake through
 * the proxy that trusts the computer's roots alone, as any program would. Prints null or a sentence, as JSON.
 */
import { getCACertificates } from 'node:tls';
import { probeProxy } from '../../proxy/probe-proxy.ts';
import { PROBE_HOST } from './device-root.ts';
import { PROBE_TIMEOUT_MS } from './verify-trust.ts';

const [port, token = ''] = process.argv.slice(2);
const problem = await probeProxy({
  port: Number(port),
  token,
  probeHost: PROBE_HOST,
  rootPem: getCACertificates('system').join('\n'),
  timeoutMs: PROBE_TIMEOUT_MS,
});
process.stdout.write(JSON.stringify(problem));
