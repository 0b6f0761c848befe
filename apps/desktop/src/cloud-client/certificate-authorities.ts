import { getCACertificates } from 'node:tls';

/**
 * Returns Node's own roots and those of the computer: a company's service often has a certificate of the company's CA.
 */
export function certificateAuthorities(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}
