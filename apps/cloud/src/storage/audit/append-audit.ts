import type { Kysely } from 'kysely';
import type { SqlDialect } from '../engines/sql-dialect.ts';
import type { Audit, AuditEntry } from '../model/audit.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../sealing/vault.ts';
import { chainRows, compareHead, type Head, headFromLastRow, prepareEntry, readHead } from './chain.ts';

/** Adds an entry in a transaction. The head stays locked until the transaction ends, so that chains never fork. */
export async function appendAudit(
  tx: Kysely<Database>,
  deps: { readonly vault: Vault; readonly dialect: SqlDialect; readonly now: () => number },
  entry: AuditEntry,
): ReturnType<Audit['append']> {
  const prepared = prepareEntry(entry, deps.now());
  const rows = chainRows(await lockHead(tx, deps, entry.organizationId), [prepared]);
  await tx
    .insertInto('audit_rows')
    .values(
      rows.map((row) => ({
        organization_id: row.organizationId,
        seq: row.seq,
        at_ms: row.atMs,
        kind: row.kind,
        actor: row.actor,
        subject: row.subject,
        data: row.data,
        prev_hash: Buffer.from(row.prevHash, 'hex'),
        hash: Buffer.from(row.hash, 'hex'),
      })),
    )
    .execute();
  const last = rows.at(-1)!;
  await tx
    .updateTable('audit_heads')
    .set({
      seq: last.seq,
      hash: Buffer.from(last.hash, 'hex'),
      seal: deps.vault.headSeal(last.organizationId, last.seq, last.hash),
    })
    .where('organization_id', '=', entry.organizationId)
    .execute();
  return { seq: last.seq, hash: last.hash };
}

async function lockHead(
  tx: Kysely<Database>,
  deps: { readonly vault: Vault; readonly dialect: SqlDialect },
  organizationId: string,
): Promise<Head> {
  const select = () =>
    tx
      .selectFrom('audit_heads')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .$call((query) => deps.dialect.lockRows(query))
      .executeTakeFirst();
  const selectLast = () =>
    tx
      .selectFrom('audit_rows')
      .select(['seq', 'hash'])
      .where('organization_id', '=', organizationId)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();

  let row = await select();
  if (row === undefined) {
    const head = headFromLastRow(organizationId, await selectLast());
    await tx
      .insertInto('audit_heads')
      .values({
        organization_id: organizationId,
        seq: head.seq,
        hash: Buffer.from(head.hash, 'hex'),
        // A head that was removed is restored with a seal that never matches, so that the next row records the break.
        seal: head.isGenuine ? deps.vault.headSeal(organizationId, head.seq, head.hash) : Buffer.alloc(32),
      })
      .onConflict((conflict) => conflict.column('organization_id').doNothing())
      .execute();
    row = (await select())!;
  }
  return compareHead(readHead(deps.vault, row), await selectLast());
}
