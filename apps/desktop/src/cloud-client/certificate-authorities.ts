import { getCACertificates } from 'node:tls';

/** Returns Node's own roots and those of the computer: many companies issue their service's certificate themselves. */
export function certificateAuthorities(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}
