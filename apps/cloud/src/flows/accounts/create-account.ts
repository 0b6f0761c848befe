import type { Repositories, User } from '../../storage/storage.ts';
import { insertProject } from '../create-project.ts';

/** Creates a person with an account of their own on the Free plan. */
export async function createAccount(
  repositories: Pick<Repositories, 'users' | 'subscriptions'>,
  person: {
    readonly email: string;
    readonly name: string | null;
    readonly passwordHash: string | null;
    readonly emailVerifiedAtMs: number | null;
  },
): Promise<User> {
  const user = await repositories.users.insert({ ...person, email: person.email.trim() });
  await repositories.subscriptions.set(user.id, { plan: 'free', status: 'active' });
  return user;
}

/** Creates an organization with a first project, owned by that person. */
export async function makeOrganization(
  repositories: Pick<Repositories, 'organizations' | 'members' | 'projects' | 'policies' | 'audit'>,
  ownerId: string,
  input: { readonly kind: 'personal' | 'team'; readonly name: string },
): Promise<string> {
  const organization = await repositories.organizations.insert({ ...input, ownerId });
  await repositories.members.add(organization.id, ownerId, 'owner');
  await insertProject(repositories, organization.id, { name: 'Default project' });
  await repositories.audit.append({
    organizationId: organization.id,
    kind: 'organization_created',
    actor: ownerId,
    subject: organization.id,
    data: { kind: input.kind },
  });
  return organization.id;
}
