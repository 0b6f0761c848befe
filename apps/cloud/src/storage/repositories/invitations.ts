import { newId, randomBase62 } from '../ids.ts';
import { type InvitationStatus, type Invitations, invitationTable } from '../model/invitations.ts';
import type { Database } from '../schema.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';
import { emailKey } from './users.ts';

const TOKEN_LENGTH = 43;

export function createInvitations(deps: RepositoryDeps): Invitations {
  return {
    ...invitationLookups(deps),
    ...invitationChanges(deps),
  };
}

function invitationLookups({
  db,
  vault,
}: RepositoryDeps): Pick<Invitations, 'get' | 'listOpen' | 'findOpenFor' | 'listOpenTo' | 'findByToken'> {
  const hashOf = (token: string): Buffer => vault.lookupHash(`invitation:${token}`);
  const select = (organizationId: string) =>
    db.selectFrom('invitations').selectAll().where('organization_id', '=', organizationId);
  return {
    async get(organizationId, invitationId) {
      const row = await select(organizationId).where('id', '=', invitationId).executeTakeFirst();
      return invitationTable.readOrNull(row);
    },
    async listOpen(organizationId) {
      const rows = await select(organizationId)
        .where('status', '=', 'open')
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(invitationTable.read);
    },
    async findOpenFor(organizationId, email) {
      const row = await select(organizationId)
        .where('status', '=', 'open')
        .where('email_key', '=', emailKey(email))
        .executeTakeFirst();
      return invitationTable.readOrNull(row);
    },
    async listOpenTo(email) {
      const rows = await db
        .selectFrom('invitations')
        .selectAll()
        .where('status', '=', 'open')
        .where('email_key', '=', emailKey(email))
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(invitationTable.read);
    },
    async findByToken(token) {
      const row = await db
        .selectFrom('invitations')
        .selectAll()
        .where('token_hash', '=', hashOf(token))
        .where('status', '=', 'open')
        .executeTakeFirst();
      return invitationTable.readOrNull(row);
    },
  };
}

function invitationChanges({
  db,
  vault,
  now,
}: RepositoryDeps): Pick<Invitations, 'create' | 'renew' | 'accept' | 'revoke' | 'forget' | 'prune'> {
  const hashOf = (token: string): Buffer => vault.lookupHash(`invitation:${token}`);
  const settle = async (organizationId: string, id: string, status: InvitationStatus) => {
    const { numUpdatedRows } = await db
      .updateTable('invitations')
      .set({ status })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('status', '=', 'open')
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  };
  return {
    async create(organizationId, { email, role, invitedBy, expiresAtMs }) {
      const token = randomBase62(TOKEN_LENGTH);
      const atMs = now();
      const row: Database['invitations'] = {
        id: newId('inv'),
        organization_id: organizationId,
        email: toStorableText(email),
        email_key: emailKey(email),
        role,
        token_hash: hashOf(token),
        invited_by: invitedBy,
        status: 'open',
        sent_at_ms: atMs,
        expires_at_ms: expiresAtMs,
        created_at_ms: atMs,
      };
      await db.insertInto('invitations').values(row).execute();
      return { invitation: invitationTable.read(row), token };
    },
    async renew(organizationId, invitationId, expiresAtMs) {
      const token = randomBase62(TOKEN_LENGTH);
      const row = await db
        .updateTable('invitations')
        .set({ token_hash: hashOf(token), sent_at_ms: now(), expires_at_ms: expiresAtMs })
        .where('organization_id', '=', organizationId)
        .where('id', '=', invitationId)
        .where('status', '=', 'open')
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : { invitation: invitationTable.read(row), token };
    },
    accept: (organizationId, invitationId) => settle(organizationId, invitationId, 'accepted'),
    revoke: (organizationId, invitationId) => settle(organizationId, invitationId, 'revoked'),
    async forget(email) {
      await db.deleteFrom('invitations').where('email_key', '=', emailKey(email)).execute();
    },
    async prune(beforeMs) {
      const { numDeletedRows } = await db
        .deleteFrom('invitations')
        .where('expires_at_ms', '<', beforeMs)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
