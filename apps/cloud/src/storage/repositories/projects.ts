import { createSecretKey } from 'node:crypto';
import type { ExplicitSettings } from '@csg/shared/contract';
import { newId } from '../ids.ts';
import {
  DEFAULT_RETENTION_DAYS,
  type PolicyWebhook,
  type Project,
  type Projects,
  projectTable,
} from '../model/accounts.ts';
import type { Database } from '../schema.ts';
import { hmac } from '../sealing/derive.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import { openText, sealText } from '../sealing/sealed-text.ts';
import type { Vault } from '../sealing/vault.ts';
import { StorageError } from '../storage-error.ts';
import { toFlag, toStorableText, toStorableTextOrNull } from '../stored-values.ts';
import { type CredentialQueries, createProviderCredentials } from './provider-credentials.ts';
import { omitUndefined, type RepositoryDeps } from './repository-deps.ts';

export function createProjects(deps: RepositoryDeps): Projects {
  const { db, vault, now } = deps;
  const projects: Omit<Projects, keyof CredentialQueries> = {
    maskDigests(projectId) {
      const key = createSecretKey(vault.lookupHash(JSON.stringify(['masking', projectId])));
      return (text) => hmac(key, text);
    },
    async insert(organizationId, input) {
      const row = newRow(organizationId, input, now());
      await db.insertInto('projects').values(row).execute();
      return toProject(row, vault);
    },
    async get(organizationId, projectId) {
      const row = await db
        .selectFrom('projects')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', projectId)
        .executeTakeFirst();
      return row === undefined ? null : toProject(row, vault);
    },
    async lock(organizationId, projectId) {
      // A write without a change locks the row on both engines.
      await db
        .updateTable('projects')
        .set((q) => ({ created_at_ms: q.ref('created_at_ms') }))
        .where('organization_id', '=', organizationId)
        .where('id', '=', projectId)
        .execute();
      return await projects.get(organizationId, projectId);
    },
    async list(organizationId) {
      const rows = await db
        .selectFrom('projects')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map((row) => toProject(row, vault));
    },
    async update(organizationId, projectId, change) {
      const row = await db
        .updateTable('projects')
        .set(changedColumns(vault, projectId, change))
        .where('organization_id', '=', organizationId)
        .where('id', '=', projectId)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw new StorageError('not_found', 'There is no such project.');
      return toProject(row, vault);
    },
    async countForAccount(accountId) {
      const { count } = await db
        .selectFrom('projects')
        .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
        .select((q) => q.fn.countAll<number>().as('count'))
        .where('organizations.owner_id', '=', accountId)
        .executeTakeFirstOrThrow();
      return count;
    },
  };
  return { ...projects, ...createProviderCredentials(deps, projects.get) };
}

function newRow(
  organizationId: string,
  input: Parameters<Projects['insert']>[1],
  atMs: number,
): Database['projects'] {
  return {
    id: newId('proj'),
    organization_id: organizationId,
    name: toStorableText(input.name),
    description: toStorableTextOrNull(input.description),
    fail_mode: input.failMode ?? 'open',
    use_case: input.useCase ?? 'default',
    strictness_level: input.strictnessLevel ?? 'moderate',
    zero_retention: toFlag(input.zeroRetention ?? false),
    settings: settingsText(input.settings ?? {}),
    webhook_url: null,
    webhook_enabled: 0,
    webhook_events: null,
    further_webhooks: null,
    policy_webhook: null,
    retention_days: DEFAULT_RETENTION_DAYS,
    created_at_ms: atMs,
  };
}

function changedColumns(vault: Vault, projectId: string, change: Parameters<Projects['update']>[2]) {
  const sealedOrNull = <T extends string | null | undefined>(text: T, context: string) =>
    typeof text === 'string' ? sealText(vault, text, context) : (text as Exclude<T, string>);
  return omitUndefined({
    id: projectId,
    name: change.name === undefined ? undefined : toStorableText(change.name),
    description: change.description === undefined ? undefined : toStorableTextOrNull(change.description),
    fail_mode: change.failMode,
    use_case: change.useCase,
    strictness_level: change.strictnessLevel,
    zero_retention: change.zeroRetention === undefined ? undefined : toFlag(change.zeroRetention),
    settings: change.settings === undefined ? undefined : settingsText(change.settings),
    webhook_url: sealedOrNull(change.webhookUrl, SEAL_CONTEXTS.webhookUrl(projectId)),
    policy_webhook:
      change.policyWebhook === undefined
        ? undefined
        : sealedOrNull(policyWebhookText(change.policyWebhook), SEAL_CONTEXTS.policyWebhook(projectId)),
    retention_days: change.retentionDays,
    webhook_events:
      change.webhookEvents == null ? change.webhookEvents : JSON.stringify(change.webhookEvents),
    webhook_enabled: change.webhookEnabled === undefined ? undefined : toFlag(change.webhookEnabled),
  });
}

function policyWebhookText(settings: PolicyWebhook | null): string | null {
  return settings === null ? null : toStorableText(JSON.stringify(settings));
}

function settingsText(settings: ExplicitSettings): string | null {
  return Object.keys(settings).length === 0 ? null : toStorableText(JSON.stringify(settings));
}

export function toSettings(text: string | null): ExplicitSettings {
  return text === null ? {} : (JSON.parse(text) as ExplicitSettings);
}

export function toPolicyWebhook(
  vault: Vault,
  projectId: string | null,
  sealed: string | null,
): PolicyWebhook | null {
  if (sealed === null || projectId === null) return null;
  return JSON.parse(openText(vault, sealed, SEAL_CONTEXTS.policyWebhook(projectId))) as PolicyWebhook;
}

function toProject(row: Database['projects'], vault: Vault): Project {
  return {
    ...projectTable.read(row),
    webhookUrl:
      row.webhook_url === null ? null : openText(vault, row.webhook_url, SEAL_CONTEXTS.webhookUrl(row.id)),
    policyWebhook: toPolicyWebhook(vault, row.id, row.policy_webhook),
  };
}
