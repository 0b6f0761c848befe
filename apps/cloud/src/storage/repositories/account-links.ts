import { randomBase62 } from '../ids.ts';
import type { AccountLinks } from '../model/account-links.ts';
import { toStorableTextOrNull } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const TOKEN_LENGTH = 43;

export function createAccountLinks({ db, vault, now }: RepositoryDeps): AccountLinks {
  const hashOf = (token: string): Buffer => vault.lookupHash(`link:${token}`);
  return {
    async create({ purpose, userId, email, expiresAtMs }) {
      const token = randomBase62(TOKEN_LENGTH);
      await db
        .insertInto('account_links')
        .values({
          token_hash: hashOf(token),
          purpose,
          user_id: userId,
          email: toStorableTextOrNull(email),
          expires_at_ms: expiresAtMs,
          created_at_ms: now(),
        })
        .execute();
      return token;
    },
    async spend(purpose, token, nowMs) {
      const row = await db
        .deleteFrom('account_links')
        .where('token_hash', '=', hashOf(token))
        .where('purpose', '=', purpose)
        .where('expires_at_ms', '>', nowMs)
        .returningAll()
        .executeTakeFirst();
      return row === undefined
        ? null
        : {
            userId: row.user_id,
            email: row.email,
            expiresAtMs: row.expires_at_ms,
            createdAtMs: row.created_at_ms,
          };
    },
    async newestAtMs(userId, purpose) {
      const row = await db
        .selectFrom('account_links')
        .select((q) => q.fn.max('created_at_ms').as('at_ms'))
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .executeTakeFirstOrThrow();
      return row.at_ms;
    },
    async revoke(userId, purpose) {
      await db
        .deleteFrom('account_links')
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .execute();
    },
    async prune(nowMs) {
      const { numDeletedRows } = await db
        .deleteFrom('account_links')
        .where('expires_at_ms', '<=', nowMs)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
