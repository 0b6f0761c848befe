import { ownEndpointId, type WebhookPayload } from '@csg/shared/contract';
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../engines/sql-dialect.ts';
import type { Checkpoint } from '../model/audit.ts';
import { newDeliveryRow } from '../repositories/delivery-rows.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../sealing/vault.ts';
import { readHead } from './chain.ts';
import { checkpointToLine, signCheckpoint } from './checkpoint.ts';
import type { CheckpointFile } from './checkpoint-file.ts';

export interface CheckpointDeps {
  readonly db: Kysely<Database>;
  readonly dialect: SqlDialect;
  readonly vault: Vault;
  readonly file: CheckpointFile;
  readonly now: () => number;
}

/**
 * Signs the end of a chain if it has grown since its last checkpoint: first in the file, flushed to disk, then in the
 * table. A crash in between leaves a genuine checkpoint in the file only. A head with a false seal is not signed. The
 * head stays locked meanwhile, so that the file has the checkpoints of several processes in their order; this is rare
 * and costs other writers one disk flush. Returns true if a checkpoint was written.
 */
export async function writeCheckpoint(deps: CheckpointDeps, organizationId: string): Promise<boolean> {
  const fileId = await deps.file.id();
  return await deps.db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('audit_heads')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .$call((query) => deps.dialect.lockRows(query))
      .executeTakeFirst();
    if (row === undefined || row.seq === 0) return false;
    const head = readHead(deps.vault, row);
    if (!head.isGenuine) return false;
    const last = await tx
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
      fileId,
    });
    await deps.file.append(checkpoint);
    await store(tx, checkpoint);
    await notifyTarget(tx, checkpoint);
    return true;
  });
}

/** Sends the checkpoint's line to the organization's audit target, if any: a place that this service cannot change. */
async function notifyTarget(tx: Kysely<Database>, checkpoint: Checkpoint): Promise<void> {
  const { organizationId, atMs } = checkpoint;
  const target = await tx
    .selectFrom('endpoints')
    .select('id')
    .where('id', '=', ownEndpointId('audit', organizationId))
    .where('address', 'is not', null)
    .where('is_enabled', '=', 1)
    .executeTakeFirst();
  if (target === undefined) return;
  const event = 'audit.checkpoint';
  const payload: WebhookPayload<typeof event> = {
    event,
    timestamp: new Date(atMs).toISOString(),
    organization_id: organizationId,
    data: JSON.parse(checkpointToLine(checkpoint)),
  };
  const delivery = {
    ...{ endpointId: target.id, projectId: null },
    ...{ event, eventId: null, payload: JSON.stringify(payload) },
  };
  await tx
    .insertInto('webhook_deliveries')
    .values(newDeliveryRow(organizationId, delivery, atMs))
    .execute();
}

async function store(tx: Kysely<Database>, checkpoint: Checkpoint): Promise<void> {
  await tx
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
    .execute();
}

/** Organizations whose chain has grown since its last checkpoint. */
export async function listGrownChains(db: Kysely<Database>): Promise<readonly string[]> {
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
