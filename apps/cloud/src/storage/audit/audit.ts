import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type { Audit, AuditSummary } from '../model/audit.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../sealing/vault.ts';
import { type AppendDeps, appendAudit, createAppends } from './append-audit.ts';
import { ROW_FORMAT } from './canonical.ts';
import { checkpointToLine } from './checkpoint.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import { gatherCheckpoints } from './gather-checkpoints.ts';
import { readChain } from './read-chain.ts';
import { readPage } from './read-page.ts';
import { listUnstamped, readLatestTimestamp, storeTimestamp, timestampLines } from './timestamps.ts';
import type { VerifyThread } from './verify-thread.ts';
import { listGrownChains, writeCheckpoint } from './write-checkpoints.ts';

export interface AuditDeps extends AppendDeps {
  readonly db: Kysely<Database>;
  /** Database connection for reads of many rows. */
  readonly reads: Kysely<Database>;
  readonly clientAddresses: AsyncLocalStorage<string>;
  readonly file: CheckpointFile;
  readonly verifyThread: Pick<VerifyThread, 'verify'>;
  /** Called for every row appended outside batches. */
  readonly onGrown: (organizationId: string) => void;
}

export function createAudit(deps: AuditDeps): Audit {
  const { db, reads, vault, file } = deps;
  return {
    ...createAppends(async (entries) => {
      const appended = await db.transaction().execute((tx) => appendAudit(tx, deps, entries));
      deps.onGrown(entries[0].organizationId);
      return appended;
    }),

    from: (address, work) => deps.clientAddresses.run(address, work),

    page: (organizationId, query) => readPage(reads, organizationId, query),

    summarize: (organizationId, span) => summarizeChain(reads, organizationId, span),

    async checkpoint(organizationId) {
      const due = organizationId === undefined ? await listGrownChains(db) : [organizationId];
      let written = 0;
      for (const id of due) if (await writeCheckpoint(deps, id)) written += 1;
      return written;
    },

    verify: deps.verifyThread.verify,

    async pruneAddresses(beforeMs) {
      await db.deleteFrom('audit_addresses').where('at_ms', '<', beforeMs).execute();
    },

    listUnstamped: () => listUnstamped(db),
    storeTimestamp: (timestamp) => storeTimestamp(db, timestamp),
    latestTimestamp: (organizationId) => readLatestTimestamp(db, organizationId),

    async listOrganizations() {
      const known = new Set<string>();
      for (const table of ['audit_heads', 'audit_rows', 'audit_checkpoints'] as const) {
        // Steps through the index from one organization to the next: a chain of millions of rows costs one step.
        for (let after = ''; ; ) {
          const row = await db
            .selectFrom(table)
            .select('organization_id')
            .where('organization_id', '>', after)
            .orderBy('organization_id')
            .limit(1)
            .executeTakeFirst();
          if (row === undefined) break;
          known.add(row.organization_id);
          after = row.organization_id;
        }
      }
      for (const checkpoint of (await file.read(null)).checkpoints) known.add(checkpoint.organizationId);
      return [...known].sort();
    },

    async *exportLines(organizationId) {
      const { checkpoints } = await gatherCheckpoints(deps, organizationId);
      const head = await db
        .selectFrom('audit_heads')
        .select('seq')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      const lastSeq = head?.seq ?? 0;
      yield `${JSON.stringify({
        type: 'header',
        format: ROW_FORMAT,
        algorithm: 'SHA-256',
        organization_id: organizationId,
        rows: lastSeq,
        exported_at_ms: deps.now(),
        key_id: vault.signingKeyId,
        public_key: publicKeyPem(vault),
      })}\n`;
      for await (const row of readChain(reads, organizationId, lastSeq)) {
        yield `${JSON.stringify({
          type: 'row',
          organization_id: row.organization_id,
          seq: row.seq,
          at_ms: row.at_ms,
          kind: row.kind,
          actor: row.actor,
          subject: row.subject,
          data: row.data,
          prev_hash: row.prev_hash.toString('hex'),
          hash: row.hash.toString('hex'),
        })}\n`;
      }
      for (const { checkpoint, isGenuine } of checkpoints) if (isGenuine) yield checkpointToLine(checkpoint);
      yield* timestampLines(reads, organizationId);
    },

    publicKeyPem: publicKeyPem(vault),
  };
}

function publicKeyPem(vault: Vault): string {
  return vault.publicKey.export({ format: 'pem', type: 'spki' }).toString();
}

async function summarizeChain(
  db: Kysely<Database>,
  organizationId: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<AuditSummary> {
  const counts = await db
    .selectFrom('audit_rows')
    .select((q) => ['kind', q.fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where('at_ms', '>=', fromMs)
    .where('at_ms', '<', toMs)
    .groupBy('kind')
    .execute();
  const last = await db
    .selectFrom('audit_rows')
    .select('seq')
    .where('organization_id', '=', organizationId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const checkpoint = await db
    .selectFrom('audit_checkpoints')
    .select(['number', 'seq', 'at_ms'])
    .where('organization_id', '=', organizationId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    kinds: new Map(counts.map(({ kind, count }) => [kind, Number(count)])),
    lastSeq: last?.seq ?? 0,
    checkpoint:
      checkpoint === undefined
        ? null
        : { number: checkpoint.number, seq: checkpoint.seq, atMs: checkpoint.at_ms },
  };
}
