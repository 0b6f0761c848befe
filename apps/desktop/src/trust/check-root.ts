import { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { type GeneralSubtrees, NameConstraints } from '@peculiar/asn1-x509';
import { CLOCK_SKEW_MS, x509 } from './x509.ts';

const NAME_CONSTRAINTS = '2.5.29.30';
/** Longer than the lifetime of any root of ours. */
const MAX_LIFE_MS = 826 * 24 * 60 * 60 * 1000 + CLOCK_SKEW_MS;
const IPV4_ALL = /^0\.0\.0\.0\/(?:0|0\.0\.0\.0)$/;
const IPV6_ALL = /^[0:]+:[0:]*\/(?:0|[0:]+:[0:]*)$/;
const PLACEHOLDER = 'content-security-agent.invalid';

/**
 * Returns why this computer must not trust the certificate; null: it has the agent's form, and can only vouch for
 * `hosts` (null: for any names that it is limited to). Every program of the user can change its file, and an
 * administrator installs it.
 */
export function rootProblem(pem: string, hosts: readonly string[] | null): string | null {
  if (pem.split('-----BEGIN').length !== 2) return 'it is not one certificate';
  let root: X509Certificate;
  let certificate: x509.X509Certificate;
  try {
    root = new X509Certificate(pem);
    certificate = new x509.X509Certificate(pem);
    if (!root.ca || !root.verify(root.publicKey)) return 'it is not self-signed';
  } catch {
    return 'it cannot be read';
  }
  const usages = certificate.getExtension(x509.ExtendedKeyUsageExtension)?.usages ?? [];
  if (usages.length !== 1 || usages[0] !== x509.ExtendedKeyUsage.serverAuth)
    return 'it is not limited to web servers';
  if (certificate.notAfter.getTime() - certificate.notBefore.getTime() > MAX_LIFE_MS)
    return 'it is valid for too long';
  return constraintProblem(certificate, hosts);
}

function constraintProblem(
  certificate: x509.X509Certificate,
  hosts: readonly string[] | null,
): string | null {
  const extension = certificate.getExtension(NAME_CONSTRAINTS);
  if (extension?.critical !== true) return 'it is not limited to hosts';
  const { permittedSubtrees, excludedSubtrees } = AsnConvert.parse(extension.value, NameConstraints);
  const allowed =
    hosts && new Set([...hosts.map((host) => host.toLowerCase().replace(/^\*\./, '')), PLACEHOLDER]);
  const permitted = [...(permittedSubtrees ?? [])].map(({ base }) => base);
  const hasAddress = permitted.some((base) => base.iPAddress !== undefined);
  // Without a permitted address every address is allowed, unless all are excluded.
  if (
    !permitted.some((base) => base.dNSName !== undefined) ||
    (!hasAddress && !isWithoutAddresses(excludedSubtrees))
  ) {
    return 'it is not limited to hosts';
  }
  for (const { dNSName, iPAddress } of permitted) {
    const [address, bits] = iPAddress?.split('/') ?? [];
    const name = dNSName ?? address ?? '';
    const isAllowed = allowed === null ? name !== '' : isWithin(name.toLowerCase(), allowed);
    if (!isWhole(bits) || !isAllowed) return `it covers ${name || 'other names'}`;
  }
  return null;
}

/** True for one address, not a range; a name has no mask. */
function isWhole(bits: string | undefined): boolean {
  return bits === undefined || /^(?:32|128|255\.255\.255\.255|(?:ffff:){7}ffff)$/i.test(bits);
}

function isWithin(name: string, allowed: ReadonlySet<string>): boolean {
  const labels = name.split('.');
  return labels.some((_, i) => allowed.has(labels.slice(i).join('.')));
}

/** True for the form that the agent writes: a zero mask excludes every address of both kinds. */
function isWithoutAddresses(excluded: GeneralSubtrees | undefined): boolean {
  const ranges = [...(excluded ?? [])].map(({ base }) => base.iPAddress ?? '');
  return [IPV4_ALL, IPV6_ALL].every((all) => ranges.some((range) => all.test(range)));
}
