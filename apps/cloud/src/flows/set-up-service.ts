import type { Key, Storage } from '../storage/storage.ts';
import type { Clock } from './clock.ts';
import { insertProject } from './create-project.ts';

export interface SetUpDeps {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly clock: Clock;
  readonly makeKey: () => string;
}

/** The account that whoever runs the service owns. */
export interface FirstAccount {
  readonly accountId: string;
  readonly organizationId: string;
  readonly projectId: string;
  /** Set only by the call that made the account. */
  readonly firstKey: { readonly plain: string; readonly record: Key } | null;
}

/** Of the account that is nobody's yet. No mailbox: nothing that a mail to it says may count. */
export const OPERATOR_EMAIL = 'operator@localhost';

/**
 * Finds the first account, or makes it: an Enterprise account with a personal organization, a project and, where
 * `firstKeyName` is given, a key. Processes that start at once make it only once.
 */
export async function setUpService(deps: SetUpDeps, firstKeyName: string | null): Promise<FirstAccount> {
  try {
    return await findOrMake(deps, firstKeyName);
  } catch (error) {
    // Another instance was faster: what it made is there now.
    if ((error as { code?: unknown }).code === 'email_taken') return await findOrMake(deps, firstKeyName);
    throw error;
  }
}

function findOrMake(deps: SetUpDeps, firstKeyName: string | null): Promise<FirstAccount> {
  return deps.storage.transaction(async (repositories) => {
    const users = await repositories.users.list();
    for (const user of users) {
      const organization = (await repositories.organizations.listOwned(user.id))[0];
      const project = organization && (await repositories.projects.list(organization.id))[0];
      if (organization && project) {
        return { accountId: user.id, organizationId: organization.id, projectId: project.id, firstKey: null };
      }
    }
    const user = await repositories.users.insert({
      email: OPERATOR_EMAIL,
      name: 'Operator',
      emailVerifiedAtMs: deps.clock.now(),
    });
    await repositories.subscriptions.set(user.id, { plan: 'enterprise', status: 'active' });
    const organization = await repositories.organizations.insert({
      kind: 'personal',
      name: 'My organization',
      ownerId: user.id,
    });
    await repositories.members.add(organization.id, user.id, 'owner');
    const project = await insertProject(repositories, organization.id, { name: 'Default project' });
    let firstKey: FirstAccount['firstKey'] = null;
    if (firstKeyName !== null) {
      const plain = deps.makeKey();
      const record = await repositories.keys.insert({
        organizationId: organization.id,
        projectId: project.id,
        userId: user.id,
        deviceId: null,
        name: firstKeyName,
        permissions: [],
        expiresAtMs: null,
        key: plain,
      });
      firstKey = { plain, record };
    }
    await repositories.audit.append({
      organizationId: organization.id,
      kind: 'account_created',
      actor: 'operator',
      subject: user.id,
      data: { plan: 'enterprise' },
    });
    return { accountId: user.id, organizationId: organization.id, projectId: project.id, firstKey };
  });
}
