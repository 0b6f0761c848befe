import { DEFAULT_CREDENTIAL } from '@csg/shared/contract';
import type { Projects } from '../model/accounts.ts';
import { SEAL_CONTEXTS } from '../sealing/seal-contexts.ts';
import { StorageError } from '../storage-error.ts';
import type { RepositoryDeps } from './repository-deps.ts';

export type CredentialQueries = Pick<
  Projects,
  'setCredential' | 'findCredentials' | 'listCredentials' | 'removeCredential'
>;

/** Credentials of providers stored on a project: several per provider, by name. */
export function createProviderCredentials(
  { db, vault, now }: RepositoryDeps,
  getProject: Projects['get'],
): CredentialQueries {
  const credentials = (organizationId: string, projectId: string) =>
    db
      .selectFrom('provider_credentials')
      .innerJoin('projects', 'projects.id', 'provider_credentials.project_id')
      .where('projects.organization_id', '=', organizationId)
      .where('projects.id', '=', projectId);
  return {
    async setCredential(organizationId, projectId, provider, secret, options = {}) {
      if ((await getProject(organizationId, projectId)) === null) {
        throw new StorageError('not_found', 'There is no such project.');
      }
      const name = options.name ?? DEFAULT_CREDENTIAL;
      const values = {
        sealed: vault.seal(secret, SEAL_CONTEXTS.providerCredential(projectId, provider, name)),
        models: JSON.stringify(options.models ?? []),
        created_at_ms: now(),
      };
      await db
        .insertInto('provider_credentials')
        .values({ project_id: projectId, provider, name, ...values })
        .onConflict((conflict) => conflict.columns(['project_id', 'provider', 'name']).doUpdateSet(values))
        .execute();
    },
    async findCredentials(organizationId, projectId, provider) {
      const rows = await credentials(organizationId, projectId)
        .select(['provider_credentials.name', 'models', 'sealed'])
        .where('provider', '=', provider)
        .orderBy('provider_credentials.name')
        .execute();
      return rows.map(({ name, models, sealed }) => ({
        name,
        models: readModels(models),
        secret: vault.open(sealed, SEAL_CONTEXTS.providerCredential(projectId, provider, name)),
      }));
    },
    async listCredentials(organizationId, projectId) {
      const rows = await credentials(organizationId, projectId)
        .select(['provider', 'provider_credentials.name', 'models'])
        .orderBy('provider')
        .orderBy('provider_credentials.name')
        .execute();
      return rows.map((row) => ({ ...row, models: readModels(row.models) }));
    },
    async removeCredential(organizationId, projectId, provider, name = DEFAULT_CREDENTIAL) {
      const { numDeletedRows } = await db
        .deleteFrom('provider_credentials')
        .where('provider', '=', provider)
        .where('name', '=', name)
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

function readModels(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[];
}
