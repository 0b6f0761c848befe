/** Runs a command; never rejects. `code` is null if it could not be started. Injected, so that tests can record. */
export type RunCommand = (
  file: string,
  args: readonly string[],
  options?: { readonly input?: string; readonly timeoutMs?: number },
) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;

/** The root in the form that stores need. */
export interface TrustedRoot {
  readonly pem: string;
  /** Path of the same PEM on disk, for stores that link instead of copying. */
  readonly path: string;
  /** SHA-1 of the DER in upper-case hex, by which OS tools identify certificates. */
  readonly sha1: string;
  readonly commonName: string;
}

export type StoreState =
  /** The store contains our root. */
  | { readonly kind: 'installed' }
  | { readonly kind: 'absent' }
  /** The store, or its tool, does not exist on this computer: nothing to protect there. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export type StoreOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** `reason` is a sentence for the user: what to allow, or what to run. */
  | { readonly kind: 'failed'; readonly reason: string };

/** One store of trusted roots. Installing twice, or removing an absent root, changes nothing. */
export interface TrustStore {
  readonly name: 'system' | 'nss' | 'firefox' | 'java';
  state(root: TrustedRoot): Promise<StoreState>;
  install(root: TrustedRoot): Promise<StoreOutcome>;
  /** Leaves nothing of ours behind: no dangling link, no alias, no empty policy file that we made. */
  remove(root: TrustedRoot): Promise<StoreOutcome>;
}
