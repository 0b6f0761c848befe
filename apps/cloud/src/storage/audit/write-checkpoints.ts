import type { Kysely } from 'kysely';
import type { Checkpoint } from '../model/audit.ts';
import type { Database } from '../schema.ts';
import { StorageError } from '../storage-error.ts';
import type { Vault } from '../vault.ts';
import { readHead } from './chain.ts';
import { signCheckpoint } from './checkpoint.ts';
import type { CheckpointFile } from './checkpoint-file.ts';

export interface CheckpointDeps {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly file: CheckpointFile;
  readonly now: () => number;
}

/**
 * Signs the end of a chain, if it has grown since its last checkpoint: first to the file, on the disk, then to the
 * table. A crash in between leaves a genuine checkpoint that only the file has. A head whose seal is false is not
 * signed. Returns whether one was written.
 */
export async function writeCheckpoint(deps: CheckpointDeps, organizationId: string): Promise<boolean> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const headRow = await deps.db
      .selectFrom('audit_heads')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (headRow === undefined || headRow.seq === 0) return false;
    const head = readHead(deps.vault, headRow);
    if (!head.isGenuine) return false;
    const last = await deps.db
      .selectFrom('audit_checkpoints')
      .select(['number', 'seq'])
      .where('organization_id', '=', organizationId)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last !== undefined && last.seq >= head.seq) return false;
    const checkpoint = signCheckpoint(deps.vault, {
      organizationId,
      number: (last?.number ?? 0) + 1,
      seq: head.seq,
      hash: head.hash,
      atMs: deps.now(),
      fileId: await deps.file.id(),
    });
    await deps.file.append(checkpoint);
    if (await store(deps.db, checkpoint)) return true;
    // Another process took the number meanwhile; its checkpoint may already cover this head.
  }
  throw new StorageError('unavailable', 'Other processes keep writing checkpoints of the same chain.');
}

async function store(db: Kysely<Database>, checkpoint: Checkpoint): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('audit_checkpoints')
    .values({
      organization_id: checkpoint.organizationId,
      number: checkpoint.number,
      seq: checkpoint.seq,
      hash: checkpoint.hash,
      at_ms: checkpoint.atMs,
      file_id: checkpoint.fileId,
      key_id: checkpoint.keyId,
      signature: checkpoint.signature,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'number']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Organizations whose chain has grown since its last checkpoint. */
export async function listGrown(db: Kysely<Database>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('audit_heads as h')
    .select('h.organization_id')
    .where('h.seq', '>', (query) =>
      query
        .selectFrom('audit_checkpoints as c')
        .whereRef('c.organization_id', '=', 'h.organization_id')
        .select((q) => q.fn.coalesce(q.fn.max('c.seq'), q.lit(0)).as('seq')),
    )
    .orderBy('h.organization_id')
    .execute();
  return rows.map((row) => row.organization_id);
}
