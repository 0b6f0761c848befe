/**
 * Certificates of this device: a root that is made here and never leaves, and leaves of a day that it signs. The
 * root is constrained to the hosts it was made for, so that whoever steals it can pose as nobody else.
 * Called by the agent. Never speaks to a network and never keeps a key on disk: the caller seals it.
 */
import { createHash, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert } from '@peculiar/asn1-schema';
import { GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } from '@peculiar/asn1-x509';
import { CLOCK_SKEW_MS, newSerial, P256, privateKeyPem, x509 } from './x509.ts';

const NAME_CONSTRAINTS = '2.5.29.30';
const ROOT_DAYS = 825;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface RootCertificate {
  readonly pem: string;
  /** PKCS #8, PEM. Belongs into the keychain. */
  readonly key: string;
}

/** `hosts` as in a policy: `api.openai.com`, `*.openai.com`, or an IP address. */
export async function createRoot(hosts: readonly string[], nowMs: number): Promise<RootCertificate> {
  const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);
  const serialNumber = newSerial();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber,
    name: `CN=Content Security Agent ${serialNumber.slice(0, 8)}, O=Content Security Gateway`,
    notBefore: new Date(nowMs - CLOCK_SKEW_MS),
    notAfter: new Date(nowMs + ROOT_DAYS * DAY_MS),
    signingAlgorithm: P256,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth], false),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      new x509.Extension(NAME_CONSTRAINTS, true, constraintsOf(hosts)),
    ],
  });
  return { pem: `${certificate.toString('pem')}\n`, key: await privateKeyPem(keys.privateKey) };
}

function constraintsOf(hosts: readonly string[]): ArrayBuffer {
  const names = [...new Set(hosts.map((host) => host.toLowerCase().replace(/^\*\./, '')))];
  const addresses = names.filter((name) => isIP(name) !== 0);
  const permitted = names.map((name) =>
    isIP(name) === 0
      ? new GeneralName({ dNSName: name })
      : new GeneralName({ iPAddress: `${name}/${isIP(name) === 4 ? 32 : 128}` }),
  );
  // A kind of name that no permitted subtree is of would be free.
  const excluded = addresses.length > 0 ? [] : ['0.0.0.0/0', '::/0'];
  if (permitted.every((name) => name.dNSName === undefined)) {
    permitted.push(new GeneralName({ dNSName: 'content-security-agent.invalid' }));
  }
  return AsnConvert.serialize(
    new NameConstraints({
      permittedSubtrees: subtrees(permitted),
      ...(excluded.length > 0 && {
        excludedSubtrees: subtrees(excluded.map((range) => new GeneralName({ iPAddress: range }))),
      }),
    }),
  );
}

function subtrees(names: readonly GeneralName[]): GeneralSubtrees {
  return new GeneralSubtrees(names.map((base) => new GeneralSubtree({ base })));
}

/** False where the root would be refused for this host: a new one has to be made and installed. */
export function coversHost(rootPem: string, host: string): boolean {
  const extension = new x509.X509Certificate(rootPem).getExtension(NAME_CONSTRAINTS);
  if (extension === null) return true;
  const permitted = AsnConvert.parse(extension.value, NameConstraints).permittedSubtrees ?? [];
  const name = host.toLowerCase().replace(/^\*\./, '');
  return permitted.some(({ base }) => {
    if (base.iPAddress !== undefined) return base.iPAddress.split('/')[0] === name;
    return base.dNSName !== undefined && (name === base.dNSName || name.endsWith(`.${base.dNSName}`));
  });
}

/** What stores know a certificate by. */
export function describeRoot(pem: string): {
  sha1: string;
  commonName: string;
  notBeforeMs: number;
  notAfterMs: number;
} {
  const certificate = new x509.X509Certificate(pem);
  const sha1 = createHash('sha1').update(Buffer.from(certificate.rawData)).digest('hex').toUpperCase();
  const commonName = certificate.subjectName.getField('CN')[0] ?? '';
  const { notBefore, notAfter } = certificate;
  return { sha1, commonName, notBeforeMs: notBefore.getTime(), notAfterMs: notAfter.getTime() };
}
