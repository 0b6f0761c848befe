/** Usage of one master key. Ids of master keys are 16 hex digits and reveal nothing about the key. */
export interface MasterKeyUse {
  readonly keyId: string;
  /** `unknown`: values are sealed with the key, but it was not provided. */
  readonly role: 'current' | 'previous' | 'unknown';
  readonly values: number;
  /** Number of values by kind. */
  readonly byColumn: Readonly<Record<string, number>>;
}

export interface Resealed {
  readonly keyId: string;
  /** Number of resealed values by kind. */
  readonly byColumn: Readonly<Record<string, number>>;
  readonly values: number;
  /** Values that no provided key opens, or that were changed: left as they are. `row` is the primary key. */
  readonly unreadable: readonly { readonly column: string; readonly row: string }[];
  /** Values not sealed with the current key yet, because other instances continued to use theirs. */
  readonly left: number;
}

export interface MasterKeyStore {
  /** Lists the current key, then the previous keys as provided, then missing ones. Reads every sealed table. */
  status(): Promise<readonly MasterKeyUse[]>;
  /**
   * Reseals with the current key the values sealed with another one, a few rows at a time, without blocking readers
   * and writers. If it is interrupted, the next call continues.
   */
  reseal(onProgress?: (column: string, values: number) => void): Promise<Resealed>;
}
