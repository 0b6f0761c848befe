import type { WebhookEventName } from '@csg/shared/contract';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { newId } from '../ids.ts';
import {
  type ClaimedDelivery,
  type DeliveryOutcome,
  type Webhooks,
  type WebhookTarget,
  webhookDeliveryTable,
} from '../model/webhooks.ts';
import type { Database } from '../schema.ts';
import { SEAL_CONTEXTS } from '../seal-contexts.ts';
import { openText, sealText } from '../sealed-text.ts';
import type { SqlGaps } from '../sql-gaps.ts';
import { StorageError } from '../storage-error.ts';
import { toStorableText } from '../stored-values.ts';
import { listSize } from './list-steps.ts';
import type { RepositoryDeps } from './repository-deps.ts';
import { newDeliveryRow } from './webhook-rows.ts';

/** How many due ones are looked at to find those whose receiver is free. */
const CANDIDATES = 64;
const PRUNE_STEP = 1_000;
const MAX_ERROR = 500;
const UNREADABLE_SECRET = 'The webhook secret or address cannot be read, so nothing was sent. Set them anew.';

export function createWebhooks({ db, vault, now }: RepositoryDeps, gaps: SqlGaps): Webhooks {
  const select = (organizationId: string) =>
    db.selectFrom('webhook_deliveries').selectAll().where('organization_id', '=', organizationId);
  const endpoint = sql<string>`coalesce(project_id, organization_id)`;

  function secretsIn(
    row: { sealed: Buffer | null; previous_sealed: Buffer | null; previous_until_ms: number | null },
    projectId: string,
  ): string[] {
    const secrets =
      row.sealed === null ? [] : [vault.open(row.sealed, SEAL_CONTEXTS.webhookSecret(projectId))];
    if (row.previous_sealed !== null && (row.previous_until_ms ?? 0) > now()) {
      secrets.push(vault.open(row.previous_sealed, SEAL_CONTEXTS.webhookSecret(projectId)));
    }
    return secrets;
  }

  function due(from: Kysely<Database>, full: readonly string[]) {
    // `full` by project, which the index holds: a dead receiver's backlog is passed over without reading its rows.
    return from
      .selectFrom('webhook_deliveries')
      .select(['id', 'project_id', 'organization_id'])
      .where('status', '=', sql.lit('pending'))
      .where('due_at_ms', '<=', now())
      .where('lease_ends_at_ms', '<=', now())
      .$if(full.length > 0, (query) => query.where(endpoint, 'not in', full))
      .orderBy('due_at_ms')
      .limit(CANDIDATES);
  }

  async function lease(
    tx: Kysely<Database>,
    ids: readonly string[],
    leaseMs: number,
  ): Promise<readonly Database['webhook_deliveries'][]> {
    if (ids.length === 0) return [];
    return await tx
      .updateTable('webhook_deliveries')
      .set({ lease_id: newId('whd'), lease_ends_at_ms: now() + leaseMs })
      .where('id', 'in', ids)
      .where('status', '=', sql.lit('pending'))
      .where('lease_ends_at_ms', '<=', now())
      .returningAll()
      .execute();
  }

  async function withTargets(
    rows: readonly Database['webhook_deliveries'][],
  ): Promise<readonly ClaimedDelivery[]> {
    const targets = new Map<string, WebhookTarget>();
    const projectIds = [...new Set(rows.flatMap((row) => row.project_id ?? []))];
    if (projectIds.length > 0) {
      const found = await db
        .selectFrom('projects as p')
        .leftJoin('webhook_secrets as s', 's.project_id', 'p.id')
        .select(['p.id', 'p.webhook_url', 'p.webhook_enabled'])
        .select(['s.sealed', 's.previous_sealed', 's.previous_until_ms'])
        .where('p.id', 'in', projectIds)
        .execute();
      for (const row of found) {
        const isEnabled = row.webhook_enabled === 1;
        try {
          const url =
            row.webhook_url === null
              ? null
              : openText(vault, row.webhook_url, SEAL_CONTEXTS.webhookUrl(row.id));
          targets.set(row.id, { url, isEnabled, secrets: secretsIn(row, row.id) });
        } catch {
          // One that was tampered with must not keep the others from being delivered, nor be left out of a body.
          targets.set(row.id, { url: null, isEnabled, secrets: [], problem: UNREADABLE_SECRET });
        }
      }
    }
    for (const { organization_id: id, project_id } of rows) {
      if (project_id !== null || targets.has(id)) continue;
      try {
        const url = await webhooks.getAuditTarget(id);
        targets.set(id, { url, isEnabled: url !== null, secrets: [] });
      } catch (error) {
        if (error instanceof StorageError) throw error;
        targets.set(id, { url: null, isEnabled: true, secrets: [], problem: UNREADABLE_SECRET });
      }
    }
    return rows.map((row) => {
      const delivery = webhookDeliveryTable.read(row);
      const target = targets.get(delivery.projectId ?? delivery.organizationId) ?? {
        url: null,
        isEnabled: false,
        secrets: [],
      };
      return { ...delivery, leaseId: row.lease_id ?? '', target };
    });
  }

  const webhooks: Webhooks = {
    async enqueue(organizationId, deliveries) {
      if (deliveries.length === 0) return [];
      const rows = deliveries.map((delivery) => newDeliveryRow(organizationId, delivery, now()));
      await db.insertInto('webhook_deliveries').values(rows).execute();
      return rows.map(webhookDeliveryTable.read);
    },

    async claim({ limit, perEndpoint, busy, leaseMs }) {
      const underWay = new Map(busy);
      const full = () => [...underWay].filter(([, count]) => count >= perEndpoint).map(([id]) => id);
      const claimed: Database['webhook_deliveries'][] = [];
      while (claimed.length < limit) {
        // Looked at before it is locked: most of the time nothing is due, and nothing need wait for that.
        if ((await due(db, full()).limit(1).execute()).length === 0) break;
        const rows = await db.transaction().execute(async (tx) => {
          const chosen: string[] = [];
          for (const row of await due(tx, full())
            .$call((query) => gaps.takeFree(query))
            .execute()) {
            const name = row.project_id ?? row.organization_id;
            const count = underWay.get(name) ?? 0;
            if (count >= perEndpoint || claimed.length + chosen.length >= limit) continue;
            underWay.set(name, count + 1);
            chosen.push(row.id);
          }
          return await lease(tx, chosen, leaseMs);
        });
        if (rows.length === 0) break;
        claimed.push(...rows);
      }
      return await withTargets(claimed);
    },

    async claimOne(organizationId, deliveryId, leaseMs) {
      const found = await webhooks.get(organizationId, deliveryId);
      const rows = await lease(db, found === null ? [] : [deliveryId], leaseMs);
      return (await withTargets(rows))[0] ?? null;
    },

    async settle(delivery, outcome) {
      const { numUpdatedRows } = await db
        .updateTable('webhook_deliveries')
        .set({ ...settledColumns(outcome), lease_id: null, lease_ends_at_ms: 0 })
        .$if(outcome.isAttempt, (query) =>
          query.set((q) => ({ attempts: q('attempts', '+', 1), last_attempt_at_ms: now() })),
        )
        .where('id', '=', delivery.id)
        .where('lease_id', '=', delivery.leaseId)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async get(organizationId, deliveryId) {
      const row = await select(organizationId).where('id', '=', deliveryId).executeTakeFirst();
      return webhookDeliveryTable.readOrNull(row);
    },

    async list(organizationId, { projectId, status, event, limit, before } = {}) {
      let query = select(organizationId)
        .orderBy('created_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(listSize(limit));
      if (projectId !== undefined) query = query.where('project_id', '=', projectId);
      // Written as a literal, so that the engines see that the small index over failures will do.
      if (status !== undefined) query = query.where('status', '=', sql.lit(status));
      // A name that is none finds none.
      if (event !== undefined) query = query.where('event', '=', event as WebhookEventName);
      if (before !== undefined) {
        query = query
          .where('created_at_ms', '<=', before.createdAtMs)
          .where((q) =>
            q.or([
              q('created_at_ms', '<', before.createdAtMs),
              q.and([q('created_at_ms', '=', before.createdAtMs), q('id', '<', before.id)]),
            ]),
          );
      }
      return (await query.execute()).map(webhookDeliveryTable.read);
    },

    async retry(organizationId, deliveryId) {
      const row = await db
        .updateTable('webhook_deliveries')
        .set({ status: 'pending', failures: 0, due_at_ms: now(), lease_id: null, lease_ends_at_ms: 0 })
        .where('organization_id', '=', organizationId)
        .where('id', '=', deliveryId)
        .where('status', '=', 'failed')
        .returningAll()
        .executeTakeFirst();
      return webhookDeliveryTable.readOrNull(row);
    },

    async prune(beforeMs) {
      for (let pruned = 0; ; ) {
        const { numDeletedRows } = await db
          .deleteFrom('webhook_deliveries')
          .where('id', 'in', (query) =>
            query
              .selectFrom('webhook_deliveries')
              .select('id')
              .where('created_at_ms', '<', beforeMs)
              .where('status', '<>', 'pending')
              .orderBy('created_at_ms')
              .limit(PRUNE_STEP),
          )
          .executeTakeFirstOrThrow();
        pruned += Number(numDeletedRows);
        if (numDeletedRows < BigInt(PRUNE_STEP)) return pruned;
      }
    },

    async signingSecrets(projectId) {
      const row = await db
        .selectFrom('webhook_secrets')
        .select(['sealed', 'previous_sealed', 'previous_until_ms'])
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row === undefined ? [] : secretsIn(row, projectId);
    },

    async getSecret(organizationId, projectId) {
      const row = await db
        .selectFrom('webhook_secrets as s')
        .innerJoin('projects as p', 'p.id', 's.project_id')
        .select(['s.created_at_ms', 's.previous_until_ms'])
        .where('p.id', '=', projectId)
        .where('p.organization_id', '=', organizationId)
        .executeTakeFirst();
      if (row === undefined) return null;
      const until = row.previous_until_ms;
      return {
        createdAtMs: row.created_at_ms,
        previousUntilMs: until !== null && until > now() ? until : null,
      };
    },

    async putSecret(projectId, secret, previousUntilMs) {
      const sealed = vault.seal(secret, SEAL_CONTEXTS.webhookSecret(projectId));
      const atMs = now();
      const fresh = { sealed, created_at_ms: atMs };
      const row = await db
        .insertInto('webhook_secrets')
        .values({ project_id: projectId, ...fresh, previous_sealed: null, previous_until_ms: null })
        .onConflict((conflict) =>
          conflict.column('project_id').doUpdateSet((q) => ({
            ...fresh,
            previous_sealed: previousUntilMs === null ? null : q.ref('webhook_secrets.sealed'),
            previous_until_ms: previousUntilMs,
          })),
        )
        .returning(['created_at_ms', 'previous_until_ms'])
        .executeTakeFirstOrThrow();
      return { createdAtMs: row.created_at_ms, previousUntilMs: row.previous_until_ms };
    },

    async removeSecret(organizationId, projectId) {
      const { numDeletedRows } = await db
        .deleteFrom('webhook_secrets')
        .where('project_id', 'in', (query) =>
          query
            .selectFrom('projects')
            .select('id')
            .where('organization_id', '=', organizationId)
            .where('id', '=', projectId),
        )
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },

    async getAuditTarget(organizationId) {
      const row = await db
        .selectFrom('audit_targets')
        .select('url')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      return row === undefined ? null : openText(vault, row.url, SEAL_CONTEXTS.auditTarget(organizationId));
    },

    async setAuditTarget(organizationId, url) {
      if (url === null) {
        await db.deleteFrom('audit_targets').where('organization_id', '=', organizationId).execute();
        return;
      }
      const columns = {
        url: sealText(vault, url, SEAL_CONTEXTS.auditTarget(organizationId)),
        updated_at_ms: now(),
      };
      await db
        .insertInto('audit_targets')
        .values({ organization_id: organizationId, ...columns })
        .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(columns))
        .execute();
    },
  };
  return webhooks;
}

function settledColumns(outcome: DeliveryOutcome) {
  return {
    status: outcome.status,
    failures: outcome.failures,
    response_status: outcome.responseStatus,
    last_error: outcome.lastError === null ? null : toStorableText(outcome.lastError.slice(0, MAX_ERROR)),
    due_at_ms: outcome.dueAtMs,
  };
}
