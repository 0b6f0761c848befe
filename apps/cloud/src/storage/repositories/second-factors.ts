import type { SecondFactors } from '../model/sign-in.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createSecondFactors(deps: RepositoryDeps): SecondFactors {
  return {
    ...factors(deps),
    ...recoveryCodes(deps),
  };
}

function factors({
  db,
  vault,
  now,
}: RepositoryDeps): Pick<SecondFactors, 'begin' | 'get' | 'confirm' | 'spendStep' | 'remove'> {
  return {
    async begin(userId, secret) {
      const fresh = {
        sealed: vault.seal(secret, SEAL_CONTEXTS.secondFactor(userId)),
        last_step: 0,
        created_at_ms: now(),
      };
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('second_factors')
        .values({ user_id: userId, confirmed_at_ms: null, ...fresh })
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet(fresh).where('second_factors.confirmed_at_ms', 'is', null),
        )
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },
    async get(userId) {
      const row = await db
        .selectFrom('second_factors')
        .selectAll()
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return row === undefined
        ? null
        : {
            secret: vault.open(row.sealed, SEAL_CONTEXTS.secondFactor(userId)),
            confirmedAtMs: row.confirmed_at_ms,
          };
    },
    async confirm(userId, atMs) {
      const { numUpdatedRows } = await db
        .updateTable('second_factors')
        .set({ confirmed_at_ms: atMs })
        .where('user_id', '=', userId)
        .where('confirmed_at_ms', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    async spendStep(userId, step) {
      const { numUpdatedRows } = await db
        .updateTable('second_factors')
        .set({ last_step: step })
        .where('user_id', '=', userId)
        .where('last_step', '<', step)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    async remove(userId) {
      await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
      const { numDeletedRows } = await db
        .deleteFrom('second_factors')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}

function recoveryCodes({
  db,
  vault,
}: RepositoryDeps): Pick<SecondFactors, 'setRecoveryCodes' | 'spendRecoveryCode' | 'countRecoveryCodes'> {
  const hashOf = (userId: string, code: string): Buffer => vault.lookupHash(`recovery:${userId}:${code}`);
  return {
    async setRecoveryCodes(userId, codes) {
      await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
      await db
        .insertInto('recovery_codes')
        .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code) })))
        .execute();
    },
    async spendRecoveryCode(userId, code) {
      const { numDeletedRows } = await db
        .deleteFrom('recovery_codes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hashOf(userId, code))
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    async countRecoveryCodes(userId) {
      const { count } = await db
        .selectFrom('recovery_codes')
        .select((q) => q.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}
