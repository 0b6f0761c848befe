import type { Erasures } from '../model/accounts.ts';
import type { RepositoryDeps } from './repository-deps.ts';

/** No email can be delivered to .invalid (RFC 6761), and no person can sign up with it. */
const erasedAddress = (userId: string) => `${userId.toLowerCase()}@erased.invalid`;

export function createErasures({ db }: RepositoryDeps): Erasures {
  return {
    async eraseUser(userId) {
      const user = await db
        .selectFrom('users')
        .select('email_key')
        .where('id', '=', userId)
        .executeTakeFirst();
      if (user === undefined) return false;
      const address = erasedAddress(userId);
      await db
        .updateTable('users')
        .set({
          email: address,
          email_key: address,
          email_verified_at_ms: null,
          name: null,
          password_hash: null,
        })
        .where('id', '=', userId)
        .execute();
      for (const table of [
        'sessions',
        'known_browsers',
        'account_links',
        'second_factors',
        'recovery_codes',
        'directory_users',
        'saved_filters',
        'sso_identities',
      ] as const) {
        await db.deleteFrom(table).where('user_id', '=', userId).execute();
      }
      await db.deleteFrom('audit_addresses').where('actor', '=', userId).execute();
      await db.deleteFrom('invitations').where('email_key', '=', user.email_key).execute();
      await db
        .deleteFrom('mails')
        .where((q) => q(q.fn<string>('lower', ['to_address']), '=', user.email_key))
        .execute();
      // What they wrote, what their agents called, and the names of their devices.
      await db
        .updateTable('requests')
        .set({ justification: null, sealed_detail: null })
        .where('requester_user_id', '=', userId)
        .execute();
      await db
        .updateTable('requests')
        .set({ decision_reason: null })
        .where('decided_by', '=', userId)
        .execute();
      await db
        .updateTable('devices')
        .set({ name: 'Erased', end_user_label: null })
        .where('user_id', '=', userId)
        .execute();
      return true;
    },
  };
}
