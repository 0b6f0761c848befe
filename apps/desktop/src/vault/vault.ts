/**
 * The device's secrets: its credential and the key that its certificates are signed with. In the keychain of the system; in files only where the
 * machine has no keychain at all. Called by the agent. Never takes "cannot look" for "is not there".
 */
export const SECRET_NAMES = ['device-credential', 'issuer-key', 'next-issuer-key'] as const;
export type SecretName = (typeof SECRET_NAMES)[number];

/** Each has a cure of its own: unlock, repair, enroll. `reason` is a sentence for a person. */
export type VaultProblem =
  | { readonly kind: 'locked'; readonly reason: string }
  /** `isAbsent`: there is none on this machine. Without it there is one that cannot be used now. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly isAbsent?: true };

export type VaultState = { readonly kind: 'ok' } | VaultProblem;

export type VaultRead =
  | { readonly kind: 'ok'; readonly secret: string }
  | { readonly kind: 'missing' }
  | VaultProblem;

export type VaultKind = 'keychain' | 'file';

/** Never rejects. */
export interface Vault {
  /** Remembered at enrollment: what lies in one is not looked for in the other. */
  readonly kind: VaultKind;
  /** Where secrets lie, for a person. */
  readonly location: string;
  state(): Promise<VaultState>;
  read(name: SecretName): Promise<VaultRead>;
  /** Read back before it says `ok`. */
  write(name: SecretName, secret: string): Promise<VaultState>;
  /** Removing what is not there changes nothing. */
  remove(name: SecretName): Promise<VaultState>;
}
