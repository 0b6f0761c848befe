import type { Kysely } from 'kysely';
import type { SqlDialect } from '../engines/sql-dialect.ts';
import type { Audit, AuditEntry } from '../model/audit.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../sealing/vault.ts';
import { chainRows, compareHead, type Head, headFromLastRow, prepareEntry, readHead } from './chain.ts';

type Entries = readonly [AuditEntry, ...AuditEntry[]];

/** `append` runs in the transaction of whoever calls. */
export function createAppends(
  append: (entries: Entries) => ReturnType<Audit['append']>,
): Pick<Audit, 'append' | 'appendAll'> {
  return {
    append: (entry) => append([entry]),
    async appendAll([first, ...others]) {
      if (first !== undefined) await append([first, ...others]);
    },
  };
}

/** Both engines limit the number of parameters of a statement. */
const CHUNK = 250;

export interface AppendDeps {
  readonly vault: Vault;
  readonly dialect: SqlDialect;
  readonly now: () => number;
  /** Returns the address of the client that acts; undefined for jobs and commands. */
  readonly clientAddress?: () => string | undefined;
}

/**
 * Adds entries of one organization in a transaction. The head stays locked until the transaction ends, so that chains
 * never fork.
 */
export async function appendAudit(
  tx: Kysely<Database>,
  deps: AppendDeps,
  entries: Entries,
): ReturnType<Audit['append']> {
  const [{ organizationId }] = entries;
  let head = await lockHead(tx, deps, organizationId);
  for (let at = 0; at < entries.length; at += CHUNK) {
    const prepared = entries.slice(at, at + CHUNK).map((entry) => prepareEntry(entry, deps.now()));
    const rows = chainRows(head, prepared);
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
    await storeAddress(tx, deps.clientAddress?.(), rows);
    const { seq, hash } = rows.at(-1)!;
    head = { organizationId, seq, hash, isGenuine: true };
  }
  const { seq, hash } = head;
  await tx
    .updateTable('audit_heads')
    .set({ seq, hash: Buffer.from(hash, 'hex'), seal: deps.vault.headSeal(organizationId, seq, hash) })
    .where('organization_id', '=', organizationId)
    .execute();
  return { seq, hash };
}

async function storeAddress(
  tx: Kysely<Database>,
  address: string | undefined,
  rows: ReturnType<typeof chainRows>,
): Promise<void> {
  if (address === undefined) return;
  await tx
    .insertInto('audit_addresses')
    .values(
      rows.map(({ organizationId, seq, atMs, actor }) => ({
        ...{ organization_id: organizationId, seq, at_ms: atMs, actor, address },
      })),
    )
    .execute();
}

async function lockHead(
  tx: Kysely<Database>,
  deps: Pick<AppendDeps, 'vault' | 'dialect'>,
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
