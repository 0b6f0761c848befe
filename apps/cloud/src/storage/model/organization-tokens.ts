import type { TokenScope } from '@csg/shared/contract';
import { bytes, hidden, json, number, orNull, type RecordOf, table, text } from '../table.ts';
import type { PersonForRequest } from './sessions.ts';

/** `adm_…`. A token with which a program administers an organization as its creator. Stored as a hash. */
export const organizationTokenTable = table({
  id: text,
  organizationId: text,
  name: text,
  scopes: json<readonly TokenScope[]>(),
  /** A user's id. */
  createdBy: text,
  expiresAtMs: orNull(number),
  lastUsedAtMs: orNull(number),
  createdAtMs: number,
  tokenHash: hidden(bytes),
});
export type OrganizationToken = RecordOf<typeof organizationTokenTable>;

export interface OrganizationTokens {
  /** `token` is returned only here. */
  create(
    organizationId: string,
    input: Pick<OrganizationToken, 'name' | 'scopes' | 'createdBy' | 'expiresAtMs'>,
  ): Promise<{ readonly record: OrganizationToken; readonly token: string }>;
  /** Newest first. */
  list(organizationId: string): Promise<readonly OrganizationToken[]>;
  remove(organizationId: string, tokenId: string): Promise<boolean>;
  /** Returns the token with its creator. Records its use, at most once a minute. */
  find(
    token: string,
    nowMs: number,
  ): Promise<{ readonly token: OrganizationToken; readonly person: PersonForRequest } | null>;
}
