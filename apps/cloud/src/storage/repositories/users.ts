import { newId } from '../ids.ts';
import { type Users, userTable } from '../model/accounts.ts';
import { StorageError } from '../storage-error.ts';
import { toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import { omitUndefined, type RepositoryDeps, withConflictCode } from './repository-deps.ts';

export function createUsers({ db, now }: RepositoryDeps): Users {
  const duplicateMessage = 'This e-mail address belongs to another user.';
  return {
    async insert({ email, name, passwordHash, emailVerifiedAtMs }) {
      const row = {
        id: newId('usr'),
        email: toStorableText(email),
        email_key: emailKey(email),
        email_verified_at_ms: emailVerifiedAtMs ?? null,
        name: toStorableTextOrNull(name),
        password_hash: passwordHash ?? null,
        created_at_ms: now(),
      };
      await withConflictCode('email_taken', duplicateMessage, db.insertInto('users').values(row).execute());
      return userTable.read(row);
    },
    async get(userId) {
      const row = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
      return userTable.readOrNull(row);
    },
    async findByEmail(email) {
      const row = await db
        .selectFrom('users')
        .selectAll()
        .where('email_key', '=', emailKey(email))
        .executeTakeFirst();
      return userTable.readOrNull(row);
    },
    async lock(userId) {
      // A write without a change locks the row on both engines.
      await db
        .updateTable('users')
        .set((q) => ({ created_at_ms: q.ref('created_at_ms') }))
        .where('id', '=', userId)
        .execute();
    },
    async remove(userId) {
      await db.deleteFrom('audit_addresses').where('actor', '=', userId).execute();
      const { numDeletedRows } = await db
        .deleteFrom('users')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    async list() {
      return (await db.selectFrom('users').selectAll().orderBy('created_at_ms').orderBy('id').execute()).map(
        userTable.read,
      );
    },
    // A change may be empty. Not the id: SQLite would look for it in every table that refers to it.
    async update(userId, { email, name, passwordHash, emailVerifiedAtMs }) {
      const change = omitUndefined({
        email: email === undefined ? undefined : toStorableText(email),
        email_key: email === undefined ? undefined : emailKey(email),
        email_verified_at_ms: emailVerifiedAtMs,
        name: name === undefined ? undefined : toStorableTextOrNull(name),
        password_hash: passwordHash,
      });
      const row = await withConflictCode(
        'email_taken',
        duplicateMessage,
        db
          .updateTable('users')
          .set((q) => ({ created_at_ms: q.ref('created_at_ms'), ...change }))
          .where('id', '=', userId)
          .returningAll()
          .executeTakeFirst(),
      );
      if (row === undefined) throw new StorageError('not_found', 'There is no such user.');
      return userTable.read(row);
    },
  };
}

/** Returns the form of an address that must be unique. */
export function emailKey(email: string): string {
  return toStorableText(email).trim().toLowerCase();
}
