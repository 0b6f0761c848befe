/**
 * The device's secrets in the keychain of the system: its credential and the key of its root. Called by the agent.
 * Never puts a secret on disk by itself, and never takes "cannot look" for "is not there".
 */
export const SECRET_NAMES = ['device-credential', 'root-key'] as const;
export type SecretName = (typeof SECRET_NAMES)[number];

/** Each has a cure of its own: unlock, repair, enroll. `reason` is a sentence for a person. */
export type VaultProblem =
  | { readonly kind: 'locked'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

export type VaultState = { readonly kind: 'ok' } | VaultProblem;

export type VaultRead =
  | { readonly kind: 'ok'; readonly secret: string }
  | { readonly kind: 'missing' }
  | VaultProblem;

/** Never rejects. */
export interface Vault {
  /** Where secrets lie, for a person. */
  readonly place: string;
  state(): Promise<VaultState>;
  read(name: SecretName): Promise<VaultRead>;
  /** Read back before it says `ok`. */
  write(name: SecretName, secret: string): Promise<VaultState>;
  /** Removing what is not there changes nothing. */
  remove(name: SecretName): Promise<VaultState>;
}
