/** Browsers in which a person signed in before: failed sign-ins from elsewhere do not lock them out. */
export interface KnownBrowsers {
  /** Returns the token, which cannot be read again. */
  remember(userId: string, expiresAtMs: number): Promise<string>;
  isKnown(userId: string, token: string, nowMs: number): Promise<boolean>;
  forgetAll(userId: string): Promise<void>;
  prune(nowMs: number): Promise<number>;
}

/** A person's authenticator app. */
export interface SecondFactor {
  /** Base32; sealed with the master key in storage. */
  readonly secret: string;
  /** null: enrollment has begun but no code has confirmed it. The factor is in force from this time on. */
  readonly confirmedAtMs: number | null;
}

export interface SecondFactors {
  /** Begins enrollment, replacing one that was begun before. false: a factor is confirmed already. */
  begin(userId: string, secret: string): Promise<boolean>;
  get(userId: string): Promise<SecondFactor | null>;
  /** false: no enrollment is waiting for confirmation. */
  confirm(userId: string, atMs: number): Promise<boolean>;
  /** Uses the code of a time step once: returns false from then on for that step and all earlier ones. */
  spendStep(userId: string, step: number): Promise<boolean>;
  /** Replaces the previous codes. Stores them as hashes. */
  setRecoveryCodes(userId: string, codes: readonly string[]): Promise<void>;
  /** false: no such code, or already used. */
  spendRecoveryCode(userId: string, code: string): Promise<boolean>;
  countRecoveryCodes(userId: string): Promise<number>;
  /** Also removes its recovery codes. false: there is none. */
  remove(userId: string): Promise<boolean>;
}
