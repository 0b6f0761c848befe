import type { Recorder } from '../batch/recorder.ts';
import type { TokenCounter, Usage } from '../model/usage.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createUsage({ db, reads }: RepositoryDeps, recorder: Recorder): Usage {
  const counter = async (accountId: string, period: string) =>
    await db
      .selectFrom('usage_counters')
      .select(['requests', 'device_requests'])
      .where('account_id', '=', accountId)
      .where('period', '=', period)
      .executeTakeFirst();

  async function tokensOf({ organizationId, keyId, day }: TokenCounter): Promise<number> {
    const row = await db
      .selectFrom('key_tokens')
      .select('tokens')
      .where('organization_id', '=', organizationId)
      .where('key_id', '=', keyId)
      .where('day', '=', day)
      .executeTakeFirst();
    return row?.tokens ?? 0;
  }

  /** Has no effect for a key that was deleted meanwhile. */
  const upsertTokens = ({ organizationId, keyId, day }: TokenCounter, tokens: number, limit?: number) =>
    db
      .insertInto('key_tokens')
      .columns(['key_id', 'organization_id', 'day', 'tokens'])
      .expression((q) =>
        q
          .selectFrom('keys')
          .select((k) => ['id', 'organization_id', k.val(day).as('day'), k.val(tokens).as('tokens')])
          .where('organization_id', '=', organizationId)
          .where('id', '=', keyId),
      )
      .onConflict((conflict) => {
        const updated = conflict.column('key_id').doUpdateSet((q) => ({
          day,
          tokens: q
            .case()
            .when('key_tokens.day', '=', day)
            .then(q('key_tokens.tokens', '+', tokens))
            .else(tokens)
            .end(),
        }));
        return limit === undefined
          ? updated
          : updated.where((q) => q.or([q('key_tokens.day', '!=', day), q('key_tokens.tokens', '<', limit)]));
      });

  return {
    admit: recorder.admit,
    async stats(accountId, { fromDay, toDay, month }) {
      // Months (YYYY-MM) sort before their days (YYYY-MM-DD): the length tells them apart.
      const rows = await reads
        .selectFrom('usage_counters')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('period', '>=', fromDay)
        .where('period', '<=', toDay)
        .orderBy('period')
        .execute();
      const total = await counter(accountId, month);
      return {
        month: total?.requests ?? 0,
        monthDevice: total?.device_requests ?? 0,
        days: rows
          .filter((row) => row.period.length === 10 && row.requests > 0)
          .map((row) => ({ date: row.period, requests: row.requests, deviceRequests: row.device_requests })),
      };
    },
    async monthTotal(accountId, month) {
      return (await counter(accountId, month))?.requests ?? 0;
    },
    tokensOf,
    async addTokens(counter, tokens) {
      await upsertTokens(counter, tokens).execute();
    },
    async reserveTokens(counter, tokens, limit) {
      const counted = await upsertTokens(counter, tokens, limit).returning('tokens').executeTakeFirst();
      if (counted !== undefined) return null;
      const used = await tokensOf(counter);
      // A key that was deleted meanwhile has no count.
      return used < limit ? null : used;
    },
    async adjustTokens({ organizationId, keyId, day }, by) {
      await db
        .updateTable('key_tokens')
        .set((q) => ({ tokens: q('tokens', '+', by) }))
        .where('organization_id', '=', organizationId)
        .where('key_id', '=', keyId)
        .where('day', '=', day)
        .execute();
    },
  };
}
