/** What a one-time link lets its holder do. */
const LINK_PURPOSES = ['set_up', 'verify_email', 'reset_password'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** A link that was mailed or printed. Its token is stored only as a hash, and is gone once it was used. */
export interface AccountLink {
  readonly userId: string;
  /** The address it proves; null: none. */
  readonly email: string | null;
  readonly expiresAtMs: number;
  readonly createdAtMs: number;
}

export interface AccountLinks {
  /** Returns the token, told once. */
  create(input: {
    readonly purpose: LinkPurpose;
    readonly userId: string;
    readonly email?: string;
    readonly expiresAtMs: number;
  }): Promise<string>;
  /** Takes it in one statement: of two who use it at once, one gets null. null too: unknown, used or expired. */
  spend(purpose: LinkPurpose, token: string, nowMs: number): Promise<AccountLink | null>;
  /** The time of the newest of that purpose; null: there is none. */
  newestAtMs(userId: string, purpose: LinkPurpose): Promise<number | null>;
  /** Makes those of that purpose worthless. */
  revoke(userId: string, purpose: LinkPurpose): Promise<void>;
  prune(nowMs: number): Promise<number>;
}
