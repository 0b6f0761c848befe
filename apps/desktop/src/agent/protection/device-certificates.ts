import { createLeafIssuer, type LeafIssuer } from '../../trust/leaf-issuer.ts';
import { coversHost, type RootCertificate } from '../../trust/root-certificate.ts';
import { ensureRoot, isGoodFor, replaceCertificate } from '../host/device-root.ts';
import type { AgentParts } from '../host/open-agent.ts';

type Leaf = Awaited<ReturnType<LeafIssuer['leafFor']>>;

/** The root of this device, and the certificates that are made with it. */
export interface DeviceCertificates {
  /** Null: there is none yet. */
  rootPem(): string | null;
  /**
   * Makes sure that there is a root for these hosts. Resolves to why there is none, or why a store does not have it;
   * null: nothing is wrong. A root that is in use stays in use where no other can be made.
   */
  ensureFor(hosts: readonly string[]): Promise<string | null>;
  /** Null: the root is not good for this host. */
  leafFor(host: string): Promise<Leaf | null>;
}

export function createDeviceCertificates(
  parts: Pick<AgentParts, 'files' | 'vault' | 'stores'>,
): DeviceCertificates {
  let root: RootCertificate | null = null;
  let issuer: LeafIssuer | null = null;
  return {
    rootPem: () => root?.pem ?? null,
    async ensureFor(hosts) {
      const outcome = await ensureRoot(parts.files, parts.vault, hosts, Date.now());
      if (outcome.kind !== 'ok') return outcome.reason;
      const former = root;
      const problem =
        outcome.isNew && former !== null
          ? await replaceCertificate(parts.files, parts.stores, former.pem)
          : null;
      root = outcome.root;
      issuer = await createLeafIssuer(root);
      return problem;
    },
    async leafFor(host) {
      const isOurs = root !== null && issuer !== null && coversHost(root.pem, host);
      return isOurs ? issuer!.leafFor(host, Date.now()) : null;
    },
  };
}

/** Asking the keychain takes its time, and what an admin decided has to hold immediately: only where it is needed. */
export function isRootGoodFor(pem: string | null, hosts: readonly string[]): boolean {
  return pem !== null && isGoodFor(pem, hosts, Date.now());
}
