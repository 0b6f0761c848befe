import type { JsonObject, Repositories } from '../../storage/storage.ts';

/** What a person did to their own account, on the record of every organization they belong to. */
export async function recordForPerson(
  repositories: Pick<Repositories, 'organizations' | 'audit'>,
  userId: string,
  kind: string,
  data: JsonObject = {},
): Promise<void> {
  const organizations = await repositories.organizations.listForUser(userId);
  // Always in the same order: two who hold several chains would else wait for each other.
  for (const id of organizations.map((organization) => organization.id).sort()) {
    await repositories.audit.append({ organizationId: id, kind, actor: userId, subject: userId, data });
  }
}
