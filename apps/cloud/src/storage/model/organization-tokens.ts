import type { TokenScope } from '@csg/shared/contract';
import { bytes, hidden, json, number, orNull, type RecordOf, table, text } from '../table.ts';
import type { PersonForRequest } from './sessions.ts';

/** `adm_…`. What a program shows to administer an organization as the person who made it. Stored as a hash. */
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
  /** `token` is shown once, here. */
  create(
    organizationId: string,
    input: Pick<OrganizationToken, 'name' | 'scopes' | 'createdBy' | 'expiresAtMs'>,
  ): Promise<{ readonly record: OrganizationToken; readonly token: string }>;
  /** Newest first. */
  list(organizationId: string): Promise<readonly OrganizationToken[]>;
  remove(organizationId: string, tokenId: string): Promise<boolean>;
  /** With the person who made it. Notes, at most once a minute, that it was used. */
  find(
    token: string,
    nowMs: number,
  ): Promise<{ readonly token: OrganizationToken; readonly person: PersonForRequest } | null>;
}
