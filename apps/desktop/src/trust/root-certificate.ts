/**
 * Certificates of this device: a root that apps trust, an issuer below it, and one-day leaves that the issuer signs.
 * Root and issuer are both constrained to the hosts they were made for, so that a stolen issuer key cannot impersonate
 * any other host. The root's own key is discarded right after use: Java does not enforce the constraints of a trusted
 * root, so no further signature with it must be possible. Called by the agent. Never uses a network and never stores a
 * key: the caller puts it into the vault.
 */
import { createHash, createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert } from '@peculiar/asn1-schema';
import { GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } from '@peculiar/asn1-x509';
import { CLOCK_SKEW_MS, newSerial, P256, privateKeyPem, x509 } from './x509.ts';

const NAME_CONSTRAINTS = '2.5.29.30';
const ROOT_DAYS = 825;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface RootCertificate {
  /** The certificate that stores contain. */
  readonly pem: string;
  /** Signed by the root; signs the leaves, and is sent with them. */
  readonly issuerPem: string;
  /** The issuer's key. PKCS #8, PEM. Belongs in the keychain. */
  readonly key: string;
}

/** `hosts` have the syntax of a policy: `api.openai.com`, `*.openai.com`, or an IP address. */
export async function createRoot(hosts: readonly string[], nowMs: number): Promise<RootCertificate> {
  const rootKeys = await newKeys();
  const issuerKeys = await newKeys();
  const serial = newSerial();
  const name = `CN=Content Security Agent ${serial.slice(0, 8)}, O=Content Security Gateway`;
  const common = {
    notBefore: new Date(nowMs - CLOCK_SKEW_MS),
    notAfter: new Date(nowMs + ROOT_DAYS * DAY_MS),
    signingAlgorithm: P256,
  };
  const extensions = async (keys: webcrypto.CryptoKeyPair, below: number) => [
    new x509.BasicConstraintsExtension(true, below, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth], false),
    await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    new x509.Extension(NAME_CONSTRAINTS, true, constraintsOf(hosts)),
  ];
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...common,
    serialNumber: serial,
    name,
    keys: rootKeys,
    extensions: await extensions(rootKeys, 1),
  });
  const issuer = await x509.X509CertificateGenerator.create({
    ...common,
    serialNumber: newSerial(),
    subject: name.replace('Agent', 'Agent issuer'),
    issuer: root.subjectName,
    publicKey: issuerKeys.publicKey,
    signingKey: rootKeys.privateKey,
    extensions: [
      ...(await extensions(issuerKeys, 0)),
      await x509.AuthorityKeyIdentifierExtension.create(root),
    ],
  });
  return {
    pem: `${root.toString('pem')}\n`,
    issuerPem: `${issuer.toString('pem')}\n`,
    key: await privateKeyPem(issuerKeys.privateKey),
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);
}

/** True if root, issuer and key belong together; false also if one is damaged. */
export function isConsistent({ pem, issuerPem, key }: RootCertificate): boolean {
  try {
    const issuer = new X509Certificate(issuerPem);
    const isSigned = issuer.verify(new X509Certificate(pem).publicKey);
    return isSigned && issuer.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function constraintsOf(hosts: readonly string[]): ArrayBuffer {
  const names = [...new Set(hosts.map((host) => host.toLowerCase().replace(/^\*\./, '')))];
  const addresses = names.filter((name) => isIP(name) !== 0);
  const permitted = names.map((name) =>
    isIP(name) === 0
      ? new GeneralName({ dNSName: name })
      : new GeneralName({ iPAddress: `${name}/${isIP(name) === 4 ? 32 : 128}` }),
  );
  // A kind of name without any permitted subtree would be unrestricted.
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

/**
 * Parses once which hosts the root covers: parsing costs milliseconds, and a configuration has many hosts. An uncovered
 * host needs a new root, which must be installed.
 */
export function coverageOf(rootPem: string): (host: string) => boolean {
  const permitted = permittedNames(rootPem);
  if (permitted === null) return () => true;
  const names = permitted.flatMap(({ dNSName }) => dNSName ?? []);
  const addresses = permitted.flatMap(({ iPAddress }) => iPAddress?.split('/')[0] ?? []);
  return (host) => {
    const name = host.toLowerCase().replace(/^\*\./, '');
    return addresses.includes(name) || names.some((domain) => name === domain || name.endsWith(`.${domain}`));
  };
}

/** Returns the DNS names that the root is limited to, each including its subdomains; addresses are omitted. */
export function constrainedNames(rootPem: string): readonly string[] {
  return (permittedNames(rootPem) ?? []).flatMap(({ dNSName }) => dNSName ?? []);
}

/** Returns null if the root is not constrained. */
function permittedNames(rootPem: string): readonly GeneralName[] | null {
  const extension = new x509.X509Certificate(rootPem).getExtension(NAME_CONSTRAINTS);
  if (extension === null) return null;
  const { permittedSubtrees } = AsnConvert.parse(extension.value, NameConstraints);
  return [...(permittedSubtrees ?? [])].map(({ base }) => base);
}

/** Returns the fields by which stores identify a certificate. */
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
