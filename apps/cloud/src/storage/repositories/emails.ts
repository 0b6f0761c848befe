import type { ExpressionBuilder, Selectable } from 'kysely';
import { newId } from '../ids.ts';
import { type Email, type EmailScope, type Emails, type EmailWithText, emailTable } from '../model/emails.ts';
import type { Database } from '../schema.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import type { Vault } from '../sealing/vault.ts';
import { toStorableText } from '../stored-values.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createEmails(deps: RepositoryDeps): Emails {
  return {
    ...emailQueue(deps),
    ...outbox(deps),
  };
}

function emailQueue({
  db,
  vault,
  now,
}: RepositoryDeps): Pick<Emails, 'add' | 'claim' | 'markSent' | 'markFailed'> {
  return {
    async add({ organizationId, kind, to, subject, text }) {
      const id = newId('mail');
      const atMs = now();
      const row: Database['mails'] = {
        id,
        organization_id: organizationId,
        kind,
        to_address: toStorableText(to),
        subject: toStorableText(subject),
        sealed_text: vault.seal(text, SEAL_CONTEXTS.email(id)),
        status: 'waiting',
        attempts: 0,
        due_at_ms: atMs,
        last_error: null,
        sent_at_ms: null,
        created_at_ms: atMs,
      };
      await db.insertInto('mails').values(row).execute();
      return toEmail(row);
    },
    async claim(nowMs, leaseMs, limit) {
      const rows = await db
        .updateTable('mails')
        .set((q) => ({ due_at_ms: nowMs + leaseMs, attempts: q('attempts', '+', 1) }))
        .where('id', 'in', (q) =>
          q
            .selectFrom('mails')
            .select('id')
            .where('status', '=', 'waiting')
            .where('due_at_ms', '<=', nowMs)
            .orderBy('due_at_ms')
            .limit(limit),
        )
        // Repeated: another instance may have claimed them since they were selected.
        .where('status', '=', 'waiting')
        .where('due_at_ms', '<=', nowMs)
        .returningAll()
        .execute();
      return rows.map((row) => withText(row, vault));
    },
    async markSent(emailId, atMs) {
      await db
        .updateTable('mails')
        .set({ status: 'sent', sent_at_ms: atMs, sealed_text: null, last_error: null })
        .where('id', '=', emailId)
        .execute();
    },
    async markFailed(emailId, error, retryAtMs) {
      await db
        .updateTable('mails')
        .set({
          last_error: toStorableText(error),
          ...(retryAtMs === null ? { status: 'failed' as const } : { due_at_ms: retryAtMs }),
        })
        .where('id', '=', emailId)
        .where('status', '=', 'waiting')
        .execute();
    },
  };
}

function outbox({ db, vault }: RepositoryDeps): Pick<Emails, 'list' | 'get' | 'retry' | 'forget' | 'prune'> {
  return {
    async list(scope, { before, limit }) {
      let query = db
        .selectFrom('mails')
        .selectAll()
        .where((q) => isIn(q, scope))
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (before !== undefined) {
        query = query.where((q) =>
          q(
            q.refTuple('created_at_ms', 'id'),
            '<',
            q
              .selectFrom('mails')
              .select(['created_at_ms', 'id'])
              .where('id', '=', before)
              // An email of another account is no valid cursor: it would reveal that the email exists.
              .where((inner) => isIn(inner, scope))
              .$asTuple('created_at_ms', 'id'),
          ),
        );
      }
      return (await query.execute()).map(toEmail);
    },
    async get(scope, emailId) {
      const row = await db
        .selectFrom('mails')
        .selectAll()
        .where('id', '=', emailId)
        .where((q) => isIn(q, scope))
        .executeTakeFirst();
      return row === undefined ? null : withText(row, vault);
    },
    async retry(scope, emailId, nowMs) {
      const { numUpdatedRows } = await db
        .updateTable('mails')
        .set({ status: 'waiting', due_at_ms: nowMs, attempts: 0 })
        .where('id', '=', emailId)
        .where('status', '=', 'failed')
        .where((q) => isIn(q, scope))
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    async forget(address) {
      await db
        .deleteFrom('mails')
        .where((q) => q(q.fn<string>('lower', ['to_address']), '=', address.trim().toLowerCase()))
        .execute();
    },
    async prune(beforeMs) {
      const { numDeletedRows } = await db
        .deleteFrom('mails')
        .where('created_at_ms', '<', beforeMs)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

function isIn(q: ExpressionBuilder<Database, 'mails'>, { organizationId, withAccounts }: EmailScope) {
  const own = q('organization_id', '=', organizationId);
  return withAccounts ? q.or([own, q('organization_id', 'is', null)]) : own;
}

function toEmail(row: Selectable<Database['mails']>): Email {
  return { ...emailTable.read(row), to: row.to_address };
}

function withText(row: Selectable<Database['mails']>, vault: Vault): EmailWithText {
  return {
    ...toEmail(row),
    text: row.sealed_text === null ? null : vault.open(row.sealed_text, SEAL_CONTEXTS.email(row.id)),
  };
}
