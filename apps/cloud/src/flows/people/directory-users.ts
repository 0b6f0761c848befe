import { CodedError } from '@csg/shared/contract';
import type { MinuteLimiter } from '../../limits/minute-limiter.ts';
import type {
  DirectoryToken,
  DirectoryUser,
  DirectoryUserFields,
  Repositories,
  Storage,
} from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import type { Links } from '../links.ts';
import { limitMails } from './limit-mails.ts';
import { addedMail } from './mail-texts.ts';
import { makeAccount } from './make-account.ts';
import { endMembership } from './members.ts';

export interface DirectoryDeps {
  readonly storage: Pick<Storage, 'directory' | 'transaction'>;
  readonly links: Links;
  readonly limiter: MinuteLimiter;
  readonly clock: Clock;
  readonly forgetKeys: () => void;
}

/** Who acts: a directory, by a token of its organization. */
export type DirectoryCaller = Pick<DirectoryToken, 'id' | 'organizationId'>;

/** What a directory says of a person. Fields left out stay. */
export interface DirectoryChange extends Partial<DirectoryUserFields> {
  readonly email?: string;
  readonly isActive?: boolean;
}

/**
 * Makes a person a member: with a new account where nobody has this address, else in their own, which the directory
 * cannot change. A mail tells them. Rejects with `invalid_state` where the directory knows them already.
 */
export async function provisionUser(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  wish: DirectoryChange & { readonly email: string },
): Promise<DirectoryUser> {
  const { organizationId } = caller;
  const { email, isActive = true, ...fields } = wish;
  return await deps.storage.transaction(async (repositories) => {
    const known = await repositories.users.findByEmail(email);
    if (known !== null && (await repositories.directory.get(organizationId, known.id)) !== null) {
      throw new CodedError('invalid_state', {
        message: 'There is a user with this userName already.',
        fields: { scimType: 'uniqueness' },
      });
    }
    const user =
      known ??
      (await makeAccount(repositories, { email, name: null, passwordHash: null, emailVerifiedAtMs: null }));
    await repositories.directory.describe(organizationId, user.id, fields);
    if (isActive) await join(repositories, deps, caller, user.id);
    return (await repositories.directory.get(organizationId, user.id))!;
  });
}

/**
 * Says something else of a person. Inactive: the membership ends, with all that hangs on it. The owner's is refused
 * (`owner_protected`).
 */
export async function changeUser(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  userId: string,
  change: DirectoryChange,
): Promise<DirectoryUser> {
  const { organizationId } = caller;
  const { email, isActive, ...fields } = change;
  const changed = await deps.storage.transaction(async (repositories) => {
    const known = await repositories.directory.get(organizationId, userId);
    if (known === null) throw unknownUser();
    if (email !== undefined && email.trim().toLowerCase() !== known.email.toLowerCase()) {
      throw new CodedError('invalid_request', {
        message: 'The address of an account is changed by its owner alone.',
        fields: { scimType: 'mutability' },
      });
    }
    await repositories.directory.describe(organizationId, userId, fields);
    if (isActive === false && known.isActive) {
      await endMembership(repositories, organizationId, userId, caller.id);
    }
    if (isActive === true && !known.isActive) await join(repositories, deps, caller, userId);
    return (await repositories.directory.get(organizationId, userId))!;
  });
  deps.forgetKeys();
  return changed;
}

/** The person leaves the organization and the directory. Their account, and what they own elsewhere, stay. */
export async function deprovisionUser(
  deps: DirectoryDeps,
  caller: DirectoryCaller,
  userId: string,
): Promise<void> {
  const { organizationId } = caller;
  await deps.storage.transaction(async (repositories) => {
    const known = await repositories.directory.get(organizationId, userId);
    if (known === null) throw unknownUser();
    if (known.isActive) await endMembership(repositories, organizationId, userId, caller.id);
    await repositories.directory.forget(organizationId, userId);
  });
  deps.forgetKeys();
}

export function unknownUser(): CodedError {
  return new CodedError('not_found', { message: 'There is no user with this id.' });
}

async function join(
  repositories: Repositories,
  deps: Pick<DirectoryDeps, 'links' | 'limiter' | 'clock'>,
  caller: DirectoryCaller,
  userId: string,
): Promise<void> {
  const { organizationId } = caller;
  const [user, organization] = [
    await repositories.users.get(userId),
    await repositories.organizations.get(organizationId),
  ];
  if (user === null || organization === null) throw unknownUser();
  await limitMails(deps, { kind: 'directory', id: organizationId }, user.email);
  await repositories.members.add(organizationId, userId, 'member');
  await repositories.audit.append({
    organizationId,
    kind: 'member_added',
    actor: caller.id,
    subject: userId,
    data: { role: 'member' },
  });
  const link = deps.links.page(user.passwordHash === null ? 'forgot-password' : 'sign-in');
  await repositories.mails.add({ organizationId, to: user.email, ...addedMail(organization.name, link) });
}
