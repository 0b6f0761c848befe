import { createSecretKey } from 'node:crypto';
import type { ExplicitSettings } from '@csg/shared/contract';
import { newId } from '../ids.ts';
import { DEFAULT_RETENTION_DAYS, type Projects, projectTable } from '../model/accounts.ts';
import type { Database } from '../schema.ts';
import { hmac } from '../sealing/derive.ts';
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
      return projectTable.read(row);
    },
    async get(organizationId, projectId) {
      const row = await db
        .selectFrom('projects')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', projectId)
        .executeTakeFirst();
      return projectTable.readOrNull(row);
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
      return rows.map(projectTable.read);
    },
    async update(organizationId, projectId, change) {
      const row = await db
        .updateTable('projects')
        // A change may be empty. Not the id: SQLite would look for it in every table that refers to it.
        .set((q) => ({ created_at_ms: q.ref('created_at_ms'), ...changedColumns(change) }))
        .where('organization_id', '=', organizationId)
        .where('id', '=', projectId)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw new StorageError('not_found', 'There is no such project.');
      return projectTable.read(row);
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
    retention_days: DEFAULT_RETENTION_DAYS,
    created_at_ms: atMs,
  };
}

function changedColumns(change: Parameters<Projects['update']>[2]) {
  return omitUndefined({
    name: change.name === undefined ? undefined : toStorableText(change.name),
    description: change.description === undefined ? undefined : toStorableTextOrNull(change.description),
    fail_mode: change.failMode,
    use_case: change.useCase,
    strictness_level: change.strictnessLevel,
    zero_retention: change.zeroRetention === undefined ? undefined : toFlag(change.zeroRetention),
    settings: change.settings === undefined ? undefined : settingsText(change.settings),
    retention_days: change.retentionDays,
  });
}

function settingsText(settings: ExplicitSettings): string | null {
  return Object.keys(settings).length === 0 ? null : toStorableText(JSON.stringify(settings));
}

export function toSettings(text: string | null): ExplicitSettings {
  return text === null ? {} : (JSON.parse(text) as ExplicitSettings);
}
