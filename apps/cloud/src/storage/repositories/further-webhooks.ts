import { newId } from '../ids.ts';
import { type FurtherWebhook, type FurtherWebhooks, webhookTable } from '../model/webhooks.ts';
import type { Database } from '../schema.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import { openText, sealText } from '../sealing/sealed-text.ts';
import type { Vault } from '../sealing/vault.ts';
import { toFlag } from '../stored-values.ts';
import { omitUndefined, type RepositoryDeps } from './repository-deps.ts';

export function createFurtherWebhooks({ db, vault, now }: RepositoryDeps): FurtherWebhooks {
  const select = (organizationId: string, projectId: string) =>
    db
      .selectFrom('webhooks')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('project_id', '=', projectId)
      .orderBy('created_at_ms')
      .orderBy('id');

  /** Copies the fields that decisions need to the project's row. */
  async function writeRoutes(organizationId: string, projectId: string): Promise<void> {
    const rows = await select(organizationId, projectId).where('is_enabled', '=', 1).execute();
    const routes = rows.map(({ id, events }) => ({
      id,
      events: events === null ? null : JSON.parse(events),
    }));
    await db
      .updateTable('projects')
      .set({ further_webhooks: routes.length === 0 ? null : JSON.stringify(routes) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', projectId)
      .execute();
  }

  return {
    async list(organizationId, projectId) {
      const rows = await select(organizationId, projectId).execute();
      return rows.map((row) => toWebhook(row, vault));
    },
    async insert(organizationId, projectId, { url, isEnabled, events, secret }) {
      const id = newId('whk');
      const row = {
        id,
        organization_id: organizationId,
        project_id: projectId,
        url: sealText(vault, url, SEAL_CONTEXTS.webhookUrl(id)),
        is_enabled: toFlag(isEnabled),
        events: events === null ? null : JSON.stringify(events),
        sealed_secret: secret === null ? null : vault.seal(secret, SEAL_CONTEXTS.webhookSecret(id)),
        created_at_ms: now(),
        previous_sealed_secret: null,
        previous_until_ms: null,
      };
      await db.insertInto('webhooks').values(row).execute();
      await writeRoutes(organizationId, projectId);
      return toWebhook(row, vault);
    },
    async update(organizationId, projectId, webhookId, { url, isEnabled, events }) {
      const change = omitUndefined({
        id: webhookId,
        url: url === undefined ? undefined : sealText(vault, url, SEAL_CONTEXTS.webhookUrl(webhookId)),
        is_enabled: isEnabled === undefined ? undefined : toFlag(isEnabled),
        events: events == null ? events : JSON.stringify(events),
      });
      const row = await db
        .updateTable('webhooks')
        .set(change)
        .where('organization_id', '=', organizationId)
        .where('project_id', '=', projectId)
        .where('id', '=', webhookId)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return null;
      await writeRoutes(organizationId, projectId);
      return toWebhook(row, vault);
    },
    async rotateSecret(organizationId, projectId, webhookId, secret, previousUntilMs) {
      const row = await db
        .updateTable('webhooks')
        .set((q) => ({
          sealed_secret: vault.seal(secret, SEAL_CONTEXTS.webhookSecret(webhookId)),
          previous_sealed_secret: previousUntilMs === null ? null : q.ref('sealed_secret'),
          previous_until_ms: previousUntilMs,
        }))
        .where('organization_id', '=', organizationId)
        .where('project_id', '=', projectId)
        .where('id', '=', webhookId)
        .returning(['previous_sealed_secret', 'previous_until_ms'])
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return row.previous_sealed_secret === null ? null : row.previous_until_ms;
    },
    async remove(organizationId, projectId, webhookId) {
      const { numDeletedRows } = await db
        .deleteFrom('webhooks')
        .where('organization_id', '=', organizationId)
        .where('project_id', '=', projectId)
        .where('id', '=', webhookId)
        .executeTakeFirstOrThrow();
      await writeRoutes(organizationId, projectId);
      return numDeletedRows === 1n;
    },
  };
}

function toWebhook(row: Database['webhooks'], vault: Vault): FurtherWebhook {
  return {
    ...webhookTable.read(row),
    url: openText(vault, row.url, SEAL_CONTEXTS.webhookUrl(row.id)),
    isSigned: row.sealed_secret !== null,
  };
}
