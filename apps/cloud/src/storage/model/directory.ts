/** `dirt_…`. What a directory (an identity provider) shows to manage an organization's people. Stored as a hash. */
export interface DirectoryToken {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdBy: string;
  readonly lastUsedAtMs: number | null;
  readonly createdAtMs: number;
}

/** A person as their organization's directory tells of them. Their own account stays theirs. */
export interface DirectoryUser {
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
  readonly externalId: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly isActive: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface DirectoryUserFields {
  readonly externalId: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly isActive: boolean;
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
  /** Throws StorageError `conflict` where the directory tells of them already. */
  add(organizationId: string, userId: string, fields: DirectoryUserFields): Promise<DirectoryUser>;
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
  /** null: the directory does not tell of them. */
  update(
    organizationId: string,
    userId: string,
    change: Partial<DirectoryUserFields>,
  ): Promise<DirectoryUser | null>;
  remove(organizationId: string, userId: string): Promise<boolean>;
}
