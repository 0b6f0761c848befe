/** What a one-time link lets its holder do. */
const LINK_PURPOSES = ['set_up', 'verify_email', 'reset_password'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** A link that was emailed or printed. Its token is stored only as a hash and deleted once it is used. */
export interface AccountLink {
  readonly userId: string;
  /** The address that the link verifies; null: none. */
  readonly email: string | null;
  readonly expiresAtMs: number;
  readonly createdAtMs: number;
}

export interface AccountLinks {
  /** Returns the token, which cannot be read again. */
  create(input: {
    readonly purpose: LinkPurpose;
    readonly userId: string;
    readonly email?: string;
    readonly expiresAtMs: number;
  }): Promise<string>;
  /** Uses the link in one statement: of two concurrent callers one gets null. Also null: unknown, used or expired. */
  spend(purpose: LinkPurpose, token: string, nowMs: number): Promise<AccountLink | null>;
  /** The creation time of the newest link for that purpose; null: there is none. */
  newestAtMs(userId: string, purpose: LinkPurpose): Promise<number | null>;
  /** Invalidates the links for that purpose. */
  revoke(userId: string, purpose: LinkPurpose): Promise<void>;
  prune(nowMs: number): Promise<number>;
}
