import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import type { Role, Subscription } from '../../apps/cloud/src/storage/storage.ts';
import type { TestGateway } from './gateway.ts';

export interface TestAccount {
  readonly accountId: string;
  readonly organizationId: string;
  readonly projectId: string;
  /** The owner's key, unrestricted. */
  readonly key: string;
}

let made = 0;

/** Adds a person with a verified address, an organization of their own, a project, a key and the given plan. */
export async function addAccount(
  gateway: Pick<TestGateway, 'storage'>,
  contract: Partial<Omit<Subscription, 'accountId'>> | null,
): Promise<TestAccount> {
  const { storage } = gateway;
  const user = await storage.users.insert({ email: `person${++made}@example.com`, emailVerifiedAtMs: 1 });
  if (contract !== null) await storage.subscriptions.set(user.id, contract);
  return { accountId: user.id, ...(await addOrganization(gateway, user.id)) };
}

/** Adds another organization of the same owner, with a project and a key of its own. */
export async function addOrganization(
  { storage }: Pick<TestGateway, 'storage'>,
  ownerId: string,
): Promise<Omit<TestAccount, 'accountId'>> {
  const organization = await storage.organizations.insert({ kind: 'team', name: 'Team', ownerId });
  await storage.members.add(organization.id, ownerId, 'owner');
  const project = await storage.projects.insert(organization.id, { name: 'Project' });
  const place = { organizationId: organization.id, projectId: project.id };
  return { ...place, key: await addKeyOf({ storage }, place, ownerId) };
}

/** Adds a new person to the organization, with a key there. */
export async function addMember(
  gateway: TestGateway,
  place: { readonly organizationId: string; readonly projectId: string },
  role: Role,
): Promise<{ readonly userId: string; readonly key: string }> {
  const { storage } = gateway;
  const user = await storage.users.insert({ email: `person${++made}@example.com`, emailVerifiedAtMs: 1 });
  await storage.members.add(place.organizationId, user.id, role);
  return { userId: user.id, key: await addKeyOf(gateway, place, user.id) };
}

export async function addKeyOf(
  { storage }: Pick<TestGateway, 'storage'>,
  place: { readonly organizationId: string; readonly projectId: string | null },
  userId: string | null,
): Promise<string> {
  const key = makeKey();
  await storage.keys.insert({
    organizationId: place.organizationId,
    projectId: place.projectId,
    userId,
    deviceId: null,
    name: 'test',
    permissions: [],
    expiresAtMs: null,
    key,
  });
  return key;
}

/** Adds a device of that organization and returns its credential. */
export async function addDeviceOf(
  gateway: TestGateway,
  place: { readonly organizationId: string; readonly projectId: string },
): Promise<string> {
  const { token } = await gateway.storage.enrollments.create(place.organizationId, {
    projectId: place.projectId,
  });
  const enrolled = await gateway.call('POST', '/api/v1/enroll', {
    key: null,
    body: { token, device_name: 'Laptop', platform: 'linux' },
  });
  return ((await enrolled.json()) as { api_key: string }).api_key;
}
