import { REQUEST_KINDS } from '@csg/shared/contract';
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../engines/sql-dialect.ts';
import type { DeletedWithProject, Deletions } from '../model/deletions.ts';
import { STORED_KINDS } from '../model/requests.ts';
import type { Database } from '../schema.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createDeletions({ db, now }: RepositoryDeps, dialect: SqlDialect): Deletions {
  return {
    async removeProject(organizationId, projectId) {
      const project = await db
        .selectFrom('projects')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', projectId)
        .$call((query) => dialect.lockRows(query))
        .executeTakeFirst();
      if (project === undefined) return null;
      const scope = { organizationId, projectId };
      const deleted = await readAttached(db, scope);
      await db
        .updateTable('devices')
        .set({ revoked_at_ms: now() })
        .where('organization_id', '=', organizationId)
        .where('project_id', '=', projectId)
        .where('revoked_at_ms', 'is', null)
        .execute();
      await db
        .updateTable('requests')
        .set({ status: 'cancelled', changed_at_ms: now() })
        .where('organization_id', '=', organizationId)
        .where('project_id', '=', projectId)
        .where('kind', 'in', kindsThatAre('cancelled'))
        .where('status', 'in', ['pending', 'approved'])
        .execute();
      await db
        .deleteFrom('requests')
        .where('organization_id', '=', organizationId)
        .where('project_id', '=', projectId)
        .where('kind', 'in', kindsThatAre('deleted'))
        .execute();
      await deleteStoredResponses(db, scope);
      for (const table of ['webhook_deliveries', 'scrape_jobs'] as const) {
        await db
          .deleteFrom(table)
          .where('organization_id', '=', organizationId)
          .where('project_id', '=', projectId)
          .execute();
      }
      await db.deleteFrom('projects').where('id', '=', projectId).execute();
      return deleted;
    },

    async lockOrganization(organizationId) {
      const row = await db
        .selectFrom('organizations')
        .select('owner_id')
        .where('id', '=', organizationId)
        .$call((query) => dialect.lockRows(query))
        .executeTakeFirst();
      if (row === undefined) return null;
      const { members } = await db
        .selectFrom('members')
        .select((q) => q.fn.countAll<number>().as('members'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow();
      return { ownerId: row.owner_id, members };
    },

    async removeOrganization(organizationId) {
      const scope = { organizationId, projectId: null };
      const projects = await db
        .selectFrom('projects')
        .select('id')
        .where('organization_id', '=', organizationId)
        .orderBy('id')
        .execute();
      const members = await db
        .selectFrom('members')
        .select('user_id')
        .where('organization_id', '=', organizationId)
        .orderBy('user_id')
        .execute();
      const attached = await readAttached(db, scope);
      await deleteStoredResponses(db, scope);
      // These have no foreign key that would delete them.
      for (const table of ['webhook_deliveries', 'audit_addresses', 'usage_details', 'usage_labels'] as const)
        await db.deleteFrom(table).where('organization_id', '=', organizationId).execute();
      await db.deleteFrom('organizations').where('id', '=', organizationId).execute();
      return {
        ...attached,
        projects: projects.map(({ id }) => id),
        members: members.map(({ user_id }) => user_id),
      };
    },
  };
}

const kindsThatAre = (withProject: 'cancelled' | 'deleted') =>
  REQUEST_KINDS.filter((kind) => STORED_KINDS[kind].withProject === withProject);

/** A whole organization, or one of its projects. */
interface Scope {
  readonly organizationId: string;
  readonly projectId: string | null;
}

/** Keys of people, devices that are not revoked, enrollments that could still be used. */
async function readAttached(
  db: Kysely<Database>,
  { organizationId, projectId }: Scope,
): Promise<DeletedWithProject> {
  const keys = db.selectFrom('keys').select('id').where('device_id', 'is', null);
  const devices = db.selectFrom('devices').select('id').where('revoked_at_ms', 'is', null);
  const enrollments = db
    .selectFrom('enrollments')
    .select('id')
    .where('revoked_at_ms', 'is', null)
    .where('uses_left', '>', 0);
  const read = async (query: typeof keys | typeof devices | typeof enrollments) => {
    const rows = await (query as typeof keys)
      .where('organization_id', '=', organizationId)
      .$if(projectId !== null, (narrowed) => narrowed.where('project_id', '=', projectId))
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  };
  return { keys: await read(keys), devices: await read(devices), enrollments: await read(enrollments) };
}

/** Responses stored for repeated requests may contain user texts. */
async function deleteStoredResponses(
  db: Kysely<Database>,
  { organizationId, projectId }: Scope,
): Promise<void> {
  await db
    .deleteFrom('idempotency_records')
    .where('key_id', 'in', (query) =>
      query
        .selectFrom('keys')
        .select('id')
        .where('organization_id', '=', organizationId)
        .$if(projectId !== null, (keys) => keys.where('project_id', '=', projectId)),
    )
    .execute();
}
