import { newId, randomBase62 } from '../ids.ts';
import { type Sessions, sessionTable } from '../model/sessions.ts';
import { toStorableText } from '../stored-values.ts';
import { PERSON_COLUMNS, toPerson } from './person-for-request.ts';
import type { RepositoryDeps } from './repository-deps.ts';

/** 43 characters of base62: 256 bits. */
const TOKEN_LENGTH = 43;

export function createSessions(deps: RepositoryDeps): Sessions {
  return {
    ...sessionTokens(deps),
    ...currentSession(deps),
    ...sessionLists(deps),
  };
}

function sessionTokens({
  db,
  vault,
  now,
}: RepositoryDeps): Pick<Sessions, 'create' | 'rotate' | 'settleRotation'> {
  const hashOf = (token: string): Buffer => vault.lookupHash(`session:${token}`);
  return {
    async create({ userId, organizationId, ssoOrganizationId, address, userAgent, expiresAtMs }) {
      const token = randomBase62(TOKEN_LENGTH);
      const atMs = now();
      const row = {
        id: newId('ses'),
        user_id: userId,
        organization_id: organizationId,
        sso_organization_id: ssoOrganizationId ?? null,
        token_hash: hashOf(token),
        previous_hash: null,
        previous_until_ms: null,
        csrf_token: randomBase62(TOKEN_LENGTH),
        address: toStorableText(address),
        user_agent: toStorableText(userAgent),
        created_at_ms: atMs,
        rotated_at_ms: atMs,
        last_seen_at_ms: atMs,
        expires_at_ms: expiresAtMs,
      };
      await db.insertInto('sessions').values(row).execute();
      await noteMember(db, row, { last_sign_in_at_ms: atMs, last_seen_at_ms: atMs });
      return { session: sessionTable.read(row), token };
    },
    async rotate(sessionId, rotatedAtMs, nowMs) {
      const token = randomBase62(TOKEN_LENGTH);
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set((q) => ({
          // A token that never reached the browser is discarded: the one the browser has remains the previous one.
          previous_hash: q
            .case()
            .when(q.and([q('previous_hash', 'is not', null), q('previous_until_ms', 'is', null)]))
            .then(q.ref('previous_hash'))
            .else(q.ref('token_hash'))
            .end(),
          previous_until_ms: null,
          token_hash: hashOf(token),
          rotated_at_ms: nowMs,
        }))
        .where('id', '=', sessionId)
        .where('rotated_at_ms', '=', rotatedAtMs)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n ? token : null;
    },
    async settleRotation(sessionId, untilMs) {
      await db
        .updateTable('sessions')
        .set({ previous_until_ms: untilMs })
        .where('id', '=', sessionId)
        .where('previous_hash', 'is not', null)
        .where('previous_until_ms', 'is', null)
        .execute();
    },
  };
}

function currentSession({ db, vault }: RepositoryDeps): Pick<Sessions, 'find' | 'touch'> {
  const hashOf = (token: string): Buffer => vault.lookupHash(`session:${token}`);
  return {
    async find(token, nowMs) {
      const hash = hashOf(token);
      const row = await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .leftJoin('second_factors', (join) =>
          join
            .onRef('second_factors.user_id', '=', 'sessions.user_id')
            .on('second_factors.confirmed_at_ms', 'is not', null),
        )
        .leftJoin('members', (join) =>
          join
            .onRef('members.organization_id', '=', 'sessions.organization_id')
            .onRef('members.user_id', '=', 'sessions.user_id'),
        )
        .leftJoin('organizations', 'organizations.id', 'members.organization_id')
        .leftJoin('subscriptions', 'subscriptions.account_id', 'organizations.owner_id')
        .selectAll('sessions')
        .select(PERSON_COLUMNS)
        .where((q) => q.or([q('token_hash', '=', hash), q('previous_hash', '=', hash)]))
        .executeTakeFirst();
      if (row === undefined) return null;
      const presented = row.token_hash.equals(hash) ? 'current' : 'previous';
      if (presented === 'previous' && row.previous_until_ms !== null && row.previous_until_ms <= nowMs) {
        return null;
      }
      return {
        ...sessionTable.read(row),
        presented,
        isRotationSeen: row.previous_hash === null || row.previous_until_ms !== null,
        ...toPerson(row),
      };
    },
    async touch(sessionId, { atMs, address }) {
      const row = await db
        .updateTable('sessions')
        .set({ last_seen_at_ms: atMs, address: toStorableText(address) })
        .where('id', '=', sessionId)
        .returning(['user_id', 'organization_id'])
        .executeTakeFirst();
      if (row !== undefined) await noteMember(db, row, { last_seen_at_ms: atMs });
    },
  };
}

function sessionLists({
  db,
}: RepositoryDeps): Pick<Sessions, 'select' | 'findUser' | 'list' | 'end' | 'endAll' | 'endSso' | 'prune'> {
  return {
    async select(sessionId, organizationId) {
      await db
        .updateTable('sessions')
        .set({ organization_id: organizationId })
        .where('id', '=', sessionId)
        .execute();
    },
    async findUser(sessionId, nowMs) {
      const row = await db
        .selectFrom('sessions')
        .select('user_id')
        .where('id', '=', sessionId)
        .where('expires_at_ms', '>', nowMs)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },
    async list(userId) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('last_seen_at_ms', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(sessionTable.read);
    },
    async end(userId, sessionId) {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where('id', '=', sessionId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    async endAll(userId, exceptId) {
      let query = db.deleteFrom('sessions').where('user_id', '=', userId);
      if (exceptId !== undefined) query = query.where('id', '!=', exceptId);
      return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
    },
    async endSso(organizationId) {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('sso_organization_id', '=', organizationId)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
    async prune(nowMs, idleSinceMs) {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where((q) => q.or([q('expires_at_ms', '<=', nowMs), q('last_seen_at_ms', '<=', idleSinceMs)]))
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

/** Records when a member was last active, for admins. */
async function noteMember(
  db: RepositoryDeps['db'],
  session: { readonly user_id: string; readonly organization_id: string | null },
  seen: { readonly last_sign_in_at_ms?: number; readonly last_seen_at_ms: number },
): Promise<void> {
  if (session.organization_id === null) return;
  await db
    .updateTable('members')
    .set(seen)
    .where('organization_id', '=', session.organization_id)
    .where('user_id', '=', session.user_id)
    .execute();
}
