import type { Migration } from './migration.ts';

/** Last sign-in and last activity of a member, by organization. */
export const memberSignIns: Migration = {
  name: 'member-sign-ins',
  async up(db) {
    await db.schema.alterTable('members').addColumn('last_sign_in_at_ms', 'bigint').execute();
    await db.schema.alterTable('members').addColumn('last_seen_at_ms', 'bigint').execute();
    for (const [column, known] of [
      ['last_sign_in_at_ms', 'created_at_ms'],
      ['last_seen_at_ms', 'last_seen_at_ms'],
    ] as const) {
      await db
        .updateTable('members')
        .set((q) => ({
          [column]: q
            .selectFrom('sessions')
            .select((of) => of.fn.max(known).as('at_ms'))
            .whereRef('sessions.user_id', '=', 'members.user_id')
            .whereRef('sessions.organization_id', '=', 'members.organization_id'),
        }))
        .execute();
    }
  },
};
