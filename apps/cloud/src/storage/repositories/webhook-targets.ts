import {
  type ClaimedDelivery,
  type Webhooks,
  type WebhookTarget,
  webhookDeliveryTable,
} from '../model/webhooks.ts';
import type { Database } from '../schema.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import { openText, sealText } from '../sealing/sealed-text.ts';
import { StorageError } from '../storage-error.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const UNREADABLE_SECRET = 'The webhook secret or address cannot be read, so nothing was sent. Set them anew.';

interface SecretRow {
  readonly sealed: Buffer | null;
  readonly previous_sealed: Buffer | null;
  readonly previous_until_ms: number | null;
}

export function webhookSecrets(
  deps: RepositoryDeps,
): Pick<Webhooks, 'signingSecrets' | 'getSecret' | 'putSecret' | 'removeSecret'> {
  const { db, vault, now } = deps;
  return {
    async signingSecrets(projectId) {
      const row = await db
        .selectFrom('webhook_secrets')
        .select(['sealed', 'previous_sealed', 'previous_until_ms'])
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row === undefined ? [] : secretsIn(deps, row, projectId);
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
  };
}

export function auditTargets({
  db,
  vault,
  now,
}: RepositoryDeps): Pick<Webhooks, 'getAuditTarget' | 'setAuditTarget'> {
  return {
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
}

/** Adds the destination and signing secrets to each delivery. */
export async function withTargets(
  deps: RepositoryDeps,
  rows: readonly Database['webhook_deliveries'][],
): Promise<readonly ClaimedDelivery[]> {
  const targets = await projectTargets(deps, [...new Set(rows.flatMap((row) => row.project_id ?? []))]);
  await addFurtherTargets(deps, targets, [...new Set(rows.flatMap((row) => row.webhook_id ?? []))]);
  const { getAuditTarget } = auditTargets(deps);
  for (const { organization_id: id, project_id } of rows) {
    if (project_id !== null || targets.has(id)) continue;
    try {
      const url = await getAuditTarget(id);
      targets.set(id, { url, isEnabled: url !== null, secrets: [] });
    } catch (error) {
      if (error instanceof StorageError) throw error;
      targets.set(id, { url: null, isEnabled: true, secrets: [], problem: UNREADABLE_SECRET });
    }
  }
  return rows.map((row) => {
    const delivery = webhookDeliveryTable.read(row);
    const target = targets.get(delivery.webhookId ?? delivery.projectId ?? delivery.organizationId) ?? {
      url: null,
      isEnabled: false,
      secrets: [],
    };
    return { ...delivery, leaseId: row.lease_id ?? '', target };
  });
}

async function addFurtherTargets(
  { db, vault, now }: RepositoryDeps,
  targets: Map<string, WebhookTarget>,
  webhookIds: readonly string[],
): Promise<void> {
  if (webhookIds.length === 0) return;
  const found = await db.selectFrom('webhooks').selectAll().where('id', 'in', webhookIds).execute();
  for (const row of found) {
    const { id, url, is_enabled } = row;
    const isPreviousValid = (row.previous_until_ms ?? 0) > now();
    const sealed = [row.sealed_secret, isPreviousValid ? row.previous_sealed_secret : null];
    const isEnabled = is_enabled === 1;
    try {
      targets.set(id, {
        url: openText(vault, url, SEAL_CONTEXTS.webhookUrl(id)),
        isEnabled,
        secrets: sealed.flatMap((secret) =>
          secret === null ? [] : [vault.open(secret, SEAL_CONTEXTS.webhookSecret(id))],
        ),
      });
    } catch {
      targets.set(id, { url: null, isEnabled, secrets: [], problem: UNREADABLE_SECRET });
    }
  }
}

async function projectTargets(
  deps: RepositoryDeps,
  projectIds: readonly string[],
): Promise<Map<string, WebhookTarget>> {
  const { db, vault } = deps;
  const targets = new Map<string, WebhookTarget>();
  if (projectIds.length === 0) return targets;
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
        row.webhook_url === null ? null : openText(vault, row.webhook_url, SEAL_CONTEXTS.webhookUrl(row.id));
      targets.set(row.id, { url, isEnabled, secrets: secretsIn(deps, row, row.id) });
    } catch {
      // A target that was tampered with must neither block other deliveries nor lead to an unsigned body.
      targets.set(row.id, { url: null, isEnabled, secrets: [], problem: UNREADABLE_SECRET });
    }
  }
  return targets;
}

function secretsIn({ vault, now }: RepositoryDeps, row: SecretRow, projectId: string): string[] {
  const secrets = row.sealed === null ? [] : [vault.open(row.sealed, SEAL_CONTEXTS.webhookSecret(projectId))];
  if (row.previous_sealed !== null && (row.previous_until_ms ?? 0) > now()) {
    secrets.push(vault.open(row.previous_sealed, SEAL_CONTEXTS.webhookSecret(projectId)));
  }
  return secrets;
}
