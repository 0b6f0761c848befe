import { createLeafIssuer, type LeafIssuer } from '../../trust/leaf-issuer.ts';
import { coverageOf, type RootCertificate } from '../../trust/root-certificate.ts';
import { ensureRoot, installNext, isRootValidFor, promoteNext } from '../host/device-root.ts';
import type { AgentParts } from '../host/open-agent.ts';

type Leaf = Awaited<ReturnType<LeafIssuer['leafFor']>>;

/** The root of this device, and the certificates issued under it. */
export interface DeviceCertificates {
  /** The root that programs trust; null: there is none yet. */
  rootPem(): string | null;
  /**
   * Makes sure that there is a root for these hosts. Resolves to why there is none, or why programs do not trust it;
   * null on success. A trusted root stays in use until programs trust its successor.
   */
  ensureFor(hosts: readonly string[]): Promise<string | null>;
  /** Returns the `hosts` outside the root in use, to which apps cannot be directed before an administrator acts. */
  uncovered(hosts: readonly string[]): readonly string[];
  /** Resolves to null if the root does not cover this host. */
  leafFor(host: string): Promise<Leaf | null>;
}

export interface CertificateDeps extends Pick<AgentParts, 'files' | 'vault' | 'stores'> {
  /** Whether programs of this computer trust this root. */
  readonly isTrusted: (pem: string) => Promise<boolean>;
}

const NOT_TRUSTED_YET =
  'Some added hosts cannot be inspected until this computer trusts its new certificate. Run "agent ca install" as an administrator. All other hosts are inspected.';

export function createDeviceCertificates({
  files,
  vault,
  stores,
  isTrusted,
}: CertificateDeps): DeviceCertificates {
  let root: RootCertificate | null = null;
  let issuer: LeafIssuer | null = null;
  let covers: (host: string) => boolean = () => false;

  async function serve(next: RootCertificate): Promise<void> {
    if (next.pem === root?.pem) return;
    const before = issuer;
    issuer = await createLeafIssuer(next);
    root = next;
    covers = coverageOf(next.pem);
    // The proxy requests missing certificates again.
    before?.close();
  }

  return {
    rootPem: () => root?.pem ?? null,
    async ensureFor(hosts) {
      const outcome = await ensureRoot(files, vault, hosts, Date.now());
      if (outcome.kind !== 'ok') return outcome.reason;
      const { next } = outcome;
      if (next !== null && outcome.isNew) await installNext(files, stores);
      // A root that programs do not trust protects nothing, so it is replaced.
      if (next === null || ((await isTrusted(outcome.root.pem)) && !(await isTrusted(next.pem)))) {
        await serve(outcome.root);
        return next === null ? null : NOT_TRUSTED_YET;
      }
      const problem = await promoteNext(files, vault, stores, next);
      if (problem !== null) return problem.reason;
      await serve(next);
      return null;
    },
    uncovered: (hosts) => hosts.filter((host) => root !== null && !covers(host)),
    async leafFor(host) {
      return issuer !== null && covers(host) ? issuer.leafFor(host, Date.now()) : null;
    },
  };
}

/** Avoids slow keychain access if the root still covers the hosts: an admin's change must apply immediately. */
export function isRootUsableFor(pem: string | null, hosts: readonly string[]): boolean {
  return pem !== null && isRootValidFor(pem, hosts, Date.now());
}
