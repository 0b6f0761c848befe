import { type EndpointKind, endpointPrefix, ownEndpointId } from '@csg/shared/contract';
import type { Kysely, Updateable } from 'kysely';
import { newId } from '../ids.ts';
import type { Endpoint, EndpointInput, EndpointOf, Endpoints } from '../model/endpoints.ts';
import type { Database } from '../schema.ts';
import { secretContext } from '../sealing/endpoint-contexts.ts';
import {
  changedColumns,
  newEndpointRow,
  projectEndpoints,
  readEndpoint,
  secretsOf,
} from './endpoint-rows.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export function createEndpoints(deps: RepositoryDeps): Endpoints {
  return { ...reading(deps), ...changing(deps), ...secrets(deps), ...health(deps) };
}

const ofOrganization = (db: Kysely<Database>, organizationId: string) =>
  db.selectFrom('endpoints').selectAll().where('organization_id', '=', organizationId);

const setOne = (
  db: Kysely<Database>,
  organizationId: string,
  endpointId: string,
  change: Updateable<Database['endpoints']>,
) =>
  db
    .updateTable('endpoints')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', endpointId);

type Reading = 'list' | 'get' | 'own' | 'ofProject' | 'listOrganizations';

function reading({ db, vault, now }: RepositoryDeps): Pick<Endpoints, Reading> {
  async function find<K extends EndpointKind>(organizationId: string, id: string) {
    const row = await ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : readEndpoint<K>(vault, row, now());
  }
  return {
    async list<K extends EndpointKind>(
      organizationId: string,
      { kind, projectId }: { readonly kind?: K; readonly projectId?: string } = {},
    ) {
      let query = ofOrganization(db, organizationId).where('address', 'is not', null);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      if (projectId !== undefined) query = query.where('project_id', '=', projectId);
      const rows = await query.orderBy('created_at_ms').orderBy('id').execute();
      return rows.map((row) => readEndpoint<K>(vault, row, now()));
    },
    get: find<EndpointKind>,
    own: async <K extends EndpointKind>(organizationId: string, kind: K, projectId: string | null) =>
      await find<K>(organizationId, ownEndpointId(kind, projectId ?? organizationId)),
    async ofProject(projectId) {
      const rows = await db
        .selectFrom('endpoints')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('is_enabled', '=', 1)
        .execute();
      return projectEndpoints(vault, rows);
    },
    async listOrganizations(kind) {
      const rows = await db
        .selectFrom('endpoints')
        .select('organization_id')
        .where('kind', '=', kind)
        .distinct()
        .execute();
      return rows.map(({ organization_id }) => organization_id);
    },
  };
}

type Changing = 'insert' | 'put' | 'update' | 'remove' | 'pause';

function changing({ db, vault, now }: RepositoryDeps): Pick<Endpoints, Changing> {
  async function update<K extends EndpointKind>(
    organizationId: string,
    _kind: K,
    id: string,
    change: Partial<EndpointInput<K>>,
  ): Promise<EndpointOf<K> | null> {
    const found = await ofOrganization(db, organizationId).where('id', '=', id).executeTakeFirst();
    if (found === undefined) return null;
    const columns = changedColumns(vault, found, change, readEndpoint<EndpointKind>(vault, found, now()));
    const row = await setOne(db, organizationId, id, columns).returningAll().executeTakeFirst();
    return row === undefined ? null : readEndpoint<K>(vault, row, now());
  }
  return {
    update,
    async insert(organizationId, kind, input) {
      const { projectId = null, secret = null } = input;
      const name = { kind, organization_id: organizationId, project_id: projectId };
      const id = newId(endpointPrefix(kind));
      const sealed = secret === null ? null : vault.seal(secret, secretContext({ id, ...name }));
      const row = {
        ...newEndpointRow({ id, ...name }, now()),
        ...changedColumns(vault, { id, ...name }, input, null),
        ...(sealed !== null && { sealed_secret: sealed, secret_at_ms: now() }),
      };
      await db.insertInto('endpoints').values(row).execute();
      return readEndpoint<typeof kind>(vault, row, now());
    },
    async put(organizationId, kind, projectId, input) {
      const id = ownEndpointId(kind, projectId ?? organizationId);
      const name = { id, kind, organization_id: organizationId, project_id: projectId };
      await db
        .insertInto('endpoints')
        .values(newEndpointRow(name, now()))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      return (await update(organizationId, kind, id, input))!;
    },
    async remove(organizationId, endpointId) {
      const { numDeletedRows } = await db
        .deleteFrom('endpoints')
        .where('organization_id', '=', organizationId)
        .where('id', '=', endpointId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    async pause(organizationId, endpointId, isPaused) {
      const change = { paused_at_ms: isPaused ? now() : null };
      const { numUpdatedRows } = await setOne(
        db,
        organizationId,
        endpointId,
        change,
      ).executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}

type Secrets = 'rotateSecret' | 'removeSecret' | 'signingSecrets';

function secrets({ db, vault, now }: RepositoryDeps): Pick<Endpoints, Secrets> {
  return {
    async rotateSecret(organizationId, endpointId, secret, previousUntilMs) {
      const found = await ofOrganization(db, organizationId).where('id', '=', endpointId).executeTakeFirst();
      if (found === undefined) return undefined;
      const sealed = vault.seal(secret, secretContext(found));
      const row = await db
        .updateTable('endpoints')
        .set((q) => ({
          sealed_secret: sealed,
          secret_at_ms: now(),
          previous_sealed_secret: previousUntilMs === null ? null : q.ref('sealed_secret'),
          previous_until_ms: previousUntilMs,
        }))
        .where('organization_id', '=', organizationId)
        .where('id', '=', endpointId)
        .returning(['previous_sealed_secret', 'previous_until_ms'])
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return row.previous_sealed_secret === null ? null : row.previous_until_ms;
    },
    async removeSecret(organizationId, endpointId) {
      const none = {
        ...{ sealed_secret: null, secret_at_ms: null },
        ...{ previous_sealed_secret: null, previous_until_ms: null },
      };
      const { numUpdatedRows } = await setOne(db, organizationId, endpointId, none)
        .where('sealed_secret', 'is not', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    async signingSecrets(endpointId) {
      const row = await db
        .selectFrom('endpoints')
        .select(['id', 'kind', 'organization_id', 'project_id'])
        .select(['sealed_secret', 'previous_sealed_secret', 'previous_until_ms'])
        .where('id', '=', endpointId)
        .executeTakeFirst();
      return row === undefined ? [] : secretsOf(vault, row, now());
    },
  };
}

function health({ db, vault, now }: RepositoryDeps): Pick<Endpoints, 'listFailing' | 'addCalls'> {
  return {
    async listFailing(organizationId, sinceMs) {
      const rows = await ofOrganization(db, organizationId)
        .where('failures', '>', 0)
        .where('last_failure_at_ms', '>=', sinceMs)
        .orderBy('id')
        .execute();
      return rows.map((row) => readEndpoint<EndpointKind>(vault, row, now()) as Endpoint);
    },
    async addCalls(calls) {
      for (const { endpointId, succeeded, lastSuccessAtMs } of calls) {
        await db
          .updateTable('endpoints')
          .set((q) => ({
            succeeded: q('succeeded', '+', succeeded),
            last_success_at_ms: lastSuccessAtMs,
            ...{ failures: 0, failing_since_ms: null, last_error: null },
          }))
          .where('id', '=', endpointId)
          .execute();
      }
    },
  };
}
