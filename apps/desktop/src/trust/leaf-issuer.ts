import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { setImmediate as giveWay } from 'node:timers/promises';
import type { RootCertificate } from './root-certificate.ts';
import { CLOCK_SKEW_MS, importPrivateKey, newSerial, P256, privateKeyPem, x509 } from './x509.ts';

/** Maximum lifetime of a leaf, including clock skew. */
export const LEAF_LIFE_MS = 24 * 60 * 60 * 1000;
/** A leaf that expires within this time is renewed. */
export const LEAF_RENEW_MS = 2 * 60 * 60 * 1000;
const MAX_LEAVES = 1_000;

export interface Leaf {
  /** PEM, leaf first. */
  readonly chain: string;
  readonly key: string;
  readonly notAfterMs: number;
}

export interface LeafIssuer {
  /** Returns a cached leaf or creates one. Rejects only if the issuer's key cannot be used. */
  leafFor(host: string, nowMs: number): Promise<Leaf>;
  /** Drops pending requests; their promises stay unsettled. */
  close(): void;
}

/** Caches leaves for their lifetime. The issuer's key does not leave this function. */
export async function createLeafIssuer(root: RootCertificate): Promise<LeafIssuer> {
  const issuer = new x509.X509Certificate(root.issuerPem);
  const signingKey = await importPrivateKey(root.key);
  const authority = await x509.AuthorityKeyIdentifierExtension.create(issuer);
  const leaves = new Map<
    string,
    { readonly leaf: Promise<Leaf>; readonly fromMs: number; readonly untilMs: number }
  >();

  /** Newest last. */
  const waiting: (() => Promise<unknown>)[] = [];
  let isWorking = false;

  /**
   * Creates one leaf at a time: a thousand in parallel would block everything else in the agent. The newest comes
   * first, so that a program that requests a thousand names does not delay the next host.
   */
  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      await next();
      await giveWay();
    }
    isWorking = false;
  }

  async function make(host: string, nowMs: number): Promise<Leaf> {
    const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);
    const notAfterMs = nowMs + LEAF_LIFE_MS - CLOCK_SKEW_MS;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: newSerial(),
      // A common name is limited to 64 characters, and OpenSSL treats an address in it as a host name outside the
      // root's constraints. Clients ignore it if there are alternative names.
      subject: host.length > 64 || isIP(host) !== 0 ? 'CN=Content Security Agent' : [{ CN: [host] }],
      issuer: issuer.subjectName,
      notBefore: new Date(nowMs - CLOCK_SKEW_MS),
      notAfter: new Date(notAfterMs),
      signingAlgorithm: P256,
      publicKey: keys.publicKey,
      signingKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth], false),
        new x509.SubjectAlternativeNameExtension([{ type: isIP(host) === 0 ? 'dns' : 'ip', value: host }]),
        authority,
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    // Includes the root: some clients find the anchor only in the chain that the server sends.
    const chain = `${certificate.toString('pem')}\n${root.issuerPem}${root.pem}`;
    return { chain, key: await privateKeyPem(keys.privateKey), notAfterMs };
  }

  return {
    leafFor(name, nowMs) {
      const host = name.toLowerCase();
      const known = leaves.get(host);
      // If the clock was set back, it may be before the start of the leaf's validity.
      if (known !== undefined && known.fromMs <= nowMs && known.untilMs > nowMs) return known.leaf;
      const leaf = new Promise<Leaf>((resolve, reject) => {
        waiting.push(() => make(host, nowMs).then(resolve, reject));
      });
      void work();
      leaves.delete(host);
      const untilMs = nowMs + LEAF_LIFE_MS - CLOCK_SKEW_MS - LEAF_RENEW_MS;
      leaves.set(host, { leaf, fromMs: nowMs - CLOCK_SKEW_MS / 2, untilMs });
      leaf.catch(() => leaves.delete(host));
      if (leaves.size > MAX_LEAVES) leaves.delete(leaves.keys().next().value as string);
      return leaf;
    },
    close() {
      waiting.length = 0;
    },
  };
}
