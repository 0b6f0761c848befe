import { bytes, hidden, number, orNull, type RecordOf, table, text } from '../table.ts';
/** `dirt_…`. A token with which a directory (an identity provider) provisions users. Stored as a hash. */
export const directoryTokenTable = table({
  id: text,
  organizationId: text,
  name: text,
  createdBy: text,
  lastUsedAtMs: orNull(number),
  createdAtMs: number,
  tokenHash: hidden(bytes),
});
export type DirectoryToken = RecordOf<typeof directoryTokenTable>;

/** A member, or a person whom the directory deactivated, as the directory describes them. They keep their account. */
export interface DirectoryUser {
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
  readonly externalId: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  /** True if the directory created the account; false: the person had one already or signed up in another way. */
  readonly hasMadeAccount: boolean;
  /** True if the person is a member. */
  readonly isActive: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface DirectoryUserFields {
  readonly externalId: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
}

export interface Directory {
  /** `token` is returned only here. */
  createToken(
    organizationId: string,
    input: { readonly name: string; readonly createdBy: string },
  ): Promise<{ readonly record: DirectoryToken; readonly token: string }>;
  /** Newest first. */
  listTokens(organizationId: string): Promise<readonly DirectoryToken[]>;
  removeToken(organizationId: string, tokenId: string): Promise<boolean>;
  /** Records the use of the token, at most once a minute. */
  findToken(token: string, nowMs: number): Promise<DirectoryToken | null>;
  /** null: not a member, and not deactivated by the directory. */
  get(organizationId: string, userId: string): Promise<DirectoryUser | null>;
  /** Oldest first. */
  list(
    organizationId: string,
    page: {
      readonly offset: number;
      readonly limit: number;
      readonly email?: string;
      readonly externalId?: string;
    },
  ): Promise<{ readonly total: number; readonly users: readonly DirectoryUser[] }>;
  /** Replaces the directory's description of a person; omitted fields keep their values. */
  describe(organizationId: string, userId: string, fields: Partial<DirectoryUserFields>): Promise<void>;
  /** Records that the directory created the account of a person it has described. */
  noteMadeAccount(organizationId: string, userId: string): Promise<void>;
  /** Deletes the directory's description. */
  forget(organizationId: string, userId: string): Promise<void>;
}
