import { getCACertificates } from 'node:tls';

/** Node's own roots and those of the computer: a company's service often has a certificate of the company's. */
export function certificateAuthorities(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}
