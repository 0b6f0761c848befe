import { randomBase62 } from '../ids.ts';
import type { KnownBrowsers } from '../model/sign-in.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const TOKEN_LENGTH = 43;

export function createKnownBrowsers({ db, vault }: RepositoryDeps): KnownBrowsers {
  const hashOf = (token: string): Buffer => vault.lookupHash(`browser:${token}`);
  return {
    async remember(userId, expiresAtMs) {
      const token = randomBase62(TOKEN_LENGTH);
      await db
        .insertInto('known_browsers')
        .values({ token_hash: hashOf(token), user_id: userId, expires_at_ms: expiresAtMs })
        .execute();
      return token;
    },
    async isKnown(userId, token, nowMs) {
      const row = await db
        .selectFrom('known_browsers')
        .select('user_id')
        .where('token_hash', '=', hashOf(token))
        .where('user_id', '=', userId)
        .where('expires_at_ms', '>', nowMs)
        .executeTakeFirst();
      return row !== undefined;
    },
    async forgetAll(userId) {
      await db.deleteFrom('known_browsers').where('user_id', '=', userId).execute();
    },
    async prune(nowMs) {
      const { numDeletedRows } = await db
        .deleteFrom('known_browsers')
        .where('expires_at_ms', '<=', nowMs)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
