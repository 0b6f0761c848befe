import { getCACertificates } from 'node:tls';

let known: readonly string[] | undefined;

/** Node's own roots and those of the machine: a company's service often has a certificate of the company's. */
export function certificateAuthorities(): readonly string[] {
  known ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return known;
}
