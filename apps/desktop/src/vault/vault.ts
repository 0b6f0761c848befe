/**
 * The device's secrets: its credential and the signing key of its certificates. Stored in the system's keychain; in
 * files only if the computer has no keychain at all. Called by the agent. Never treats "cannot read" as "does not
 * exist".
 */
export const SECRET_NAMES = ['device-credential', 'issuer-key', 'next-issuer-key'] as const;
export type SecretName = (typeof SECRET_NAMES)[number];

/** Each kind has its own remedy: unlock, repair, enroll. `reason` is a sentence for the user. */
export type VaultProblem =
  | { readonly kind: 'locked'; readonly reason: string }
  /** `isAbsent`: this computer has no keychain. Otherwise there is one that cannot be used now. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly isAbsent?: true };

export type VaultState = { readonly kind: 'ok' } | VaultProblem;

export type VaultRead =
  | { readonly kind: 'ok'; readonly secret: string }
  | { readonly kind: 'missing' }
  | VaultProblem;

export type VaultKind = 'keychain' | 'file';

/** Never rejects. */
export interface Vault {
  /** Stored at enrollment: secrets of one kind of vault are not looked up in the other. */
  readonly kind: VaultKind;
  /** Location of the secrets, shown to the user. */
  readonly location: string;
  state(): Promise<VaultState>;
  read(name: SecretName): Promise<VaultRead>;
  /** Reads the secret back before it resolves to `ok`. */
  write(name: SecretName, secret: string): Promise<VaultState>;
  /** Removing a missing secret changes nothing. */
  remove(name: SecretName): Promise<VaultState>;
}
