/** Runs a command; never rejects. `code` is null where it could not be started. Handed in, so that tests can record. */
export type RunCommand = (
  file: string,
  args: readonly string[],
  options?: { readonly input?: string; readonly timeoutMs?: number },
) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;

/** The root as stores take it. */
export interface TrustedRoot {
  readonly pem: string;
  /** Where the same PEM lies on disk; stores that link instead of copying rely on it. */
  readonly path: string;
  /** SHA-1 of the DER in upper-case hex, which OS tools name certificates by. */
  readonly sha1: string;
  readonly commonName: string;
}

export type StoreState =
  /** The store holds our root. */
  | { readonly kind: 'installed' }
  | { readonly kind: 'absent' }
  /** The store, or the tool that reaches it, is not on this machine: nothing to protect there. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export type StoreOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** A sentence for a person: what to allow, or what to run. */
  | { readonly kind: 'failed'; readonly reason: string };

/** One place that keeps trusted roots. Installing twice, or removing what is absent, changes nothing. */
export interface TrustStore {
  readonly name: 'system' | 'nss' | 'firefox' | 'java';
  state(root: TrustedRoot): Promise<StoreState>;
  install(root: TrustedRoot): Promise<StoreOutcome>;
  /** Leaves nothing of ours behind: no dangling link, no alias, no empty policy file that we made. */
  remove(root: TrustedRoot): Promise<StoreOutcome>;
}
