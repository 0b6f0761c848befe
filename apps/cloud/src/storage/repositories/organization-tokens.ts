import { newId, randomBase62 } from '../ids.ts';
import { type OrganizationTokens, organizationTokenTable } from '../model/organization-tokens.ts';
import { toStorableText } from '../stored-values.ts';
import { PERSON_COLUMNS, toPerson } from './person-for-request.ts';
import type { RepositoryDeps } from './repository-deps.ts';

/** A prefix by which a leaked token can be recognized. */
const TOKEN_PREFIX = 'svc_admin_';
const NOTE_USE_EVERY_MS = 60_000;

export function createOrganizationTokens({ db, vault, now }: RepositoryDeps): OrganizationTokens {
  const hashOf = (token: string): Buffer => vault.lookupHash(`organization:${token}`);
  return {
    async create(organizationId, { name, scopes, createdBy, expiresAtMs }) {
      const token = TOKEN_PREFIX + randomBase62(40);
      const row = {
        id: newId('adm'),
        organization_id: organizationId,
        created_by: createdBy,
        name: toStorableText(name),
        scopes: JSON.stringify(scopes),
        token_hash: hashOf(token),
        expires_at_ms: expiresAtMs,
        last_used_at_ms: null,
        created_at_ms: now(),
      };
      await db.insertInto('organization_tokens').values(row).execute();
      return { record: organizationTokenTable.read(row), token };
    },
    async list(organizationId) {
      const rows = await db
        .selectFrom('organization_tokens')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(organizationTokenTable.read);
    },
    async remove(organizationId, tokenId) {
      const { numDeletedRows } = await db
        .deleteFrom('organization_tokens')
        .where('organization_id', '=', organizationId)
        .where('id', '=', tokenId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    async find(token, nowMs) {
      const row = await db
        .selectFrom('organization_tokens')
        .innerJoin('users', 'users.id', 'organization_tokens.created_by')
        .innerJoin('organizations', 'organizations.id', 'organization_tokens.organization_id')
        .leftJoin('second_factors', (join) =>
          join
            .onRef('second_factors.user_id', '=', 'users.id')
            .on('second_factors.confirmed_at_ms', 'is not', null),
        )
        .leftJoin('members', (join) =>
          join
            .onRef('members.organization_id', '=', 'organizations.id')
            .onRef('members.user_id', '=', 'users.id'),
        )
        .leftJoin('subscriptions', 'subscriptions.account_id', 'organizations.owner_id')
        .select(PERSON_COLUMNS)
        .selectAll('organization_tokens')
        // Both tables have a column of this name; this is the token's.
        .select('organization_tokens.name as token_name')
        .select('users.name as person_name')
        .where('organization_tokens.token_hash', '=', hashOf(token))
        .executeTakeFirst();
      if (row === undefined) return null;
      if (nowMs - (row.last_used_at_ms ?? 0) >= NOTE_USE_EVERY_MS) {
        await db
          .updateTable('organization_tokens')
          .set({ last_used_at_ms: nowMs })
          .where('id', '=', row.id)
          .execute();
      }
      return {
        token: organizationTokenTable.read({ ...row, name: row.token_name }),
        person: toPerson({ ...row, name: row.person_name }),
      };
    },
  };
}
