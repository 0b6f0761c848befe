import type { Selectable } from 'kysely';
import { newId, randomBase62 } from '../ids.ts';
import type { Invitation, InvitationStatus, Invitations } from '../model/invitations.ts';
import type { Database } from '../schema.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';
import { emailKey } from './users.ts';

const TOKEN_LENGTH = 43;

export function createInvitations({ db, vault, now }: RepositoryDeps): Invitations {
  const hashOf = (token: string): Buffer => vault.lookupHash(`invitation:${token}`);
  const select = (organizationId: string) =>
    db.selectFrom('invitations').selectAll().where('organization_id', '=', organizationId);
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
      const row = {
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
      return { invitation: toInvitation(row), token };
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
      return row === undefined ? null : { invitation: toInvitation(row), token };
    },
    async get(organizationId, invitationId) {
      const row = await select(organizationId).where('id', '=', invitationId).executeTakeFirst();
      return row === undefined ? null : toInvitation(row);
    },
    async listOpen(organizationId) {
      const rows = await select(organizationId)
        .where('status', '=', 'open')
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(toInvitation);
    },
    async findOpenFor(organizationId, email) {
      const row = await select(organizationId)
        .where('status', '=', 'open')
        .where('email_key', '=', emailKey(email))
        .executeTakeFirst();
      return row === undefined ? null : toInvitation(row);
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
      return rows.map(toInvitation);
    },
    async findByToken(token) {
      const row = await db
        .selectFrom('invitations')
        .selectAll()
        .where('token_hash', '=', hashOf(token))
        .where('status', '=', 'open')
        .executeTakeFirst();
      return row === undefined ? null : toInvitation(row);
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

function toInvitation(row: Selectable<Database['invitations']>): Invitation {
  return {
    id: row.id,
    organizationId: row.organization_id,
    email: row.email,
    role: row.role as Invitation['role'],
    invitedBy: row.invited_by,
    status: row.status as InvitationStatus,
    sentAtMs: row.sent_at_ms,
    expiresAtMs: row.expires_at_ms,
    createdAtMs: row.created_at_ms,
  };
}
