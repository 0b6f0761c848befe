/** Browsers in which a person signed in before: what strangers do to their account does not hold those up. */
export interface KnownBrowsers {
  /** Returns the token, told once. */
  remember(userId: string, expiresAtMs: number): Promise<string>;
  isKnown(userId: string, token: string, nowMs: number): Promise<boolean>;
  forgetAll(userId: string): Promise<void>;
  prune(nowMs: number): Promise<number>;
}

/** A person's authenticator app. */
export interface SecondFactor {
  /** Base32; sealed with the master key where it is stored. */
  readonly secret: string;
  /** null: begun, and not yet proven by a code. It counts from here on. */
  readonly confirmedAtMs: number | null;
}

export interface SecondFactors {
  /** Begins, in the place of one that was begun before. false: there is a confirmed one. */
  begin(userId: string, secret: string): Promise<boolean>;
  get(userId: string): Promise<SecondFactor | null>;
  /** false: there is none that waits for it. */
  confirm(userId: string, atMs: number): Promise<boolean>;
  /** Takes the code of a time step once: false for that step and all before it from then on. */
  spendStep(userId: string, step: number): Promise<boolean>;
  /** In the place of those before. Stored as hashes. */
  setRecoveryCodes(userId: string, codes: readonly string[]): Promise<void>;
  /** false: no such code, or used before. */
  spendRecoveryCode(userId: string, code: string): Promise<boolean>;
  countRecoveryCodes(userId: string): Promise<number>;
  /** With its recovery codes. false: there is none. */
  remove(userId: string): Promise<boolean>;
}
