import type { Key, Repositories, Storage } from '../storage/storage.ts';
import type { Clock } from './clock.ts';
import { insertProject } from './create-project.ts';

export interface SetUpDeps {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly clock: Clock;
  readonly makeKey: () => string;
}

/** The operator's account. */
export interface FirstAccount {
  readonly accountId: string;
  readonly organizationId: string;
  readonly projectId: string;
  /** Set only by the call that created the account. */
  readonly firstKey: { readonly plain: string; readonly record: Key } | null;
}

/** Address of the account before the operator claims it. It has no mailbox, so no email to it may prove anything. */
export const OPERATOR_EMAIL = 'operator@localhost';

/**
 * Finds the operator's account, or creates it: an Enterprise account with a personal organization, a project and, if
 * `firstKeyName` is given, a key. Processes that start together create it only once. If its owner deleted the
 * organization, it is created again; it never becomes that of another person.
 */
export async function setUpService(deps: SetUpDeps, firstKeyName: string | null): Promise<FirstAccount> {
  try {
    return await findOrMake(deps, firstKeyName);
  } catch (error) {
    // Another instance created it first; it exists now.
    const { code } = error as { code?: unknown };
    if (code === 'email_taken' || code === 'personal_exists') return await findOrMake(deps, firstKeyName);
    throw error;
  }
}

function findOrMake(deps: SetUpDeps, firstKeyName: string | null): Promise<FirstAccount> {
  return deps.storage.transaction(async (repositories) => {
    const known = await repositories.organizations.findOperator();
    if (known !== null) {
      const projectId = await firstProject(repositories, known.id);
      return { accountId: known.ownerId, organizationId: known.id, projectId, firstKey: null };
    }
    const user =
      (await repositories.users.findByEmail(OPERATOR_EMAIL)) ??
      (await repositories.users.insert({
        email: OPERATOR_EMAIL,
        name: 'Operator',
        emailVerifiedAtMs: deps.clock.now(),
      }));
    await repositories.subscriptions.set(user.id, { plan: 'enterprise', status: 'active' });
    const organization = await repositories.organizations.insert({
      kind: 'personal',
      name: 'My organization',
      ownerId: user.id,
      isOperator: true,
    });
    await repositories.members.add(organization.id, user.id, 'owner');
    const projectId = await firstProject(repositories, organization.id);
    let firstKey: FirstAccount['firstKey'] = null;
    if (firstKeyName !== null) {
      const plain = deps.makeKey();
      const record = await repositories.keys.insert({
        organizationId: organization.id,
        projectId,
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
    return { accountId: user.id, organizationId: organization.id, projectId, firstKey };
  });
}

async function firstProject(
  repositories: Pick<Repositories, 'projects' | 'policies'>,
  organizationId: string,
): Promise<string> {
  const [first] = await repositories.projects.list(organizationId);
  return first?.id ?? (await insertProject(repositories, organizationId, { name: 'Default project' })).id;
}
