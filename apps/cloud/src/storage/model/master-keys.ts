/** Ids of master keys are 16 hex digits and tell nothing about the key. */
export interface MasterKeyUse {
  readonly keyId: string;
  /** `unknown`: something is sealed with it, and it was not given. */
  readonly role: 'current' | 'previous' | 'unknown';
  readonly values: number;
  /** What they are, with how many of each. */
  readonly byColumn: Readonly<Record<string, number>>;
}

export interface Resealed {
  readonly keyId: string;
  /** Values sealed anew, by what they are. */
  readonly byColumn: Readonly<Record<string, number>>;
  readonly values: number;
  /** Values that no given key opens, or that were changed: left as they are. `row`: its primary key. */
  readonly unreadable: readonly { readonly column: string; readonly row: string }[];
  /** Values that are not sealed with the current key yet: others went on with theirs meanwhile. */
  readonly left: number;
}

export interface MasterKeyStore {
  /** The current key first, then the previous ones as given, then those that were not given. Reads every sealed table. */
  status(): Promise<readonly MasterKeyUse[]>;
  /**
   * Seals with the current key what was sealed with another one, a few rows at a time, while others read and write.
   * Ended half-way, the next call goes on.
   */
  reseal(onProgress?: (column: string, values: number) => void): Promise<Resealed>;
}
