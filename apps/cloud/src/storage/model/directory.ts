import { bytes, hidden, number, orNull, type RecordOf, table, text } from '../table.ts';
/** `dirt_…`. What a directory (an identity provider) shows to manage an organization's people. Stored as a hash. */
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

/** A member, or a person whom the directory has made inactive, as the directory describes them. Their account stays theirs. */
export interface DirectoryUser {
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
  readonly externalId: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  /** Whether the directory made their account; false: they had one, or came by another way. */
  readonly hasMadeAccount: boolean;
  /** Whether they are a member. */
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
  /** `token` is shown once, here. */
  createToken(
    organizationId: string,
    input: { readonly name: string; readonly createdBy: string },
  ): Promise<{ readonly record: DirectoryToken; readonly token: string }>;
  /** Newest first. */
  listTokens(organizationId: string): Promise<readonly DirectoryToken[]>;
  removeToken(organizationId: string, tokenId: string): Promise<boolean>;
  /** Notes, at most once a minute, that it was used. */
  findToken(token: string, nowMs: number): Promise<DirectoryToken | null>;
  /** null: neither a member nor made inactive by the directory. */
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
  /** What the directory says of a person, in the place of what it said before; fields left out stay. */
  describe(organizationId: string, userId: string, fields: Partial<DirectoryUserFields>): Promise<void>;
  /** Notes that the directory created the account of a person it has described. */
  noteMadeAccount(organizationId: string, userId: string): Promise<void>;
  /** Forgets what it said. */
  forget(organizationId: string, userId: string): Promise<void>;
}
