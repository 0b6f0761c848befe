import type { JsonObject, Repositories } from '../../storage/storage.ts';

/** Records what a person did to their own account in the audit log of every organization they belong to. */
export async function recordForPerson(
  repositories: Pick<Repositories, 'organizations' | 'audit'>,
  userId: string,
  kind: string,
  data: JsonObject = {},
): Promise<void> {
  const organizations = await repositories.organizations.listForUser(userId);
  // Always in the same order, so that two transactions with several chains cannot deadlock.
  for (const id of organizations.map((organization) => organization.id).sort()) {
    await repositories.audit.append({ organizationId: id, kind, actor: userId, subject: userId, data });
  }
}
